import type { TestRunner } from '@sotto/kernel/testing';
import type { SubmissionCommand } from '../domain/events.js';
import {
  confirming,
  contradicting,
  LedgerDriver,
  aBlock,
  aSignedTransaction,
  aSubmission,
  took,
} from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';
import { keptBytes } from './kept-bytes.js';

const { lane, ceilingL2PriceFri: CEILING_FRI } = LedgerDriver;
const DEARER_FRI = 30_000_000_000n;

/** Tests for rows C, K, St-R, St-N, St-H and O of the transition table. */
export function describeLaneEventsContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('sends, replacements and refusals', () => {
    const stage = LedgerStage.forEachTest(runner, start);

    it('counts claims of a send up to "more than one", and does not change the row version', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([
        { sendCount: 1, claimFence: stage.driver.fence, claimedAtMs: 5_000 },
      ]);
      for (const atMs of [5_250, 5_500]) {
        stage.pass(250);
        expect(await stage.driver.claim(0n, transaction.hash)).toMatchObject({
          applied: true,
          attempt,
          nonce: null,
        });
        expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([
          { sendCount: 2, claimedAtMs: atMs },
        ]);
      }
      expect(await stage.driver.version(0n)).toBe(1);
    });

    it('stores the node that the last claim names', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([{ claimNode: 'node-0' }]);
      await stage.driver.claim(0n, transaction.hash, 'node-1');
      expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([{ claimNode: 'node-1' }]);
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        { transactions: [{ claimNode: 'node-1' }] },
      ]);
    });

    it('rejects a claim for an unknown hash, an unknown nonce, a refused transaction, or a settled nonce', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      const { hash } = a.transaction;
      expect(await stage.driver.claim(0n, aSignedTransaction('x').hash)).toMatchObject({
        applied: false,
        because: 'unknown_row',
      });
      expect(await stage.driver.claim(9n, hash)).toEqual({
        applied: false,
        because: 'unknown_row',
        attempt: null,
      });
      await stage.driver.refuse(0n, hash);
      expect(await stage.driver.claim(0n, hash)).toMatchObject({
        applied: false,
        because: 'transaction_gone',
      });
      await stage.driver.settle(0n, took(aSignedTransaction('x').hash));
      expect(await stage.driver.claim(0n, hash)).toMatchObject({
        applied: false,
        because: 'nonce_settled',
      });
    });

    it.each([
      ['price', 'accepted'],
      ['funds', 'accepted'],
      ['lane', 'accepted'],
      ['account', 'accepted'],
      ['call', 'refused'],
    ] as const)(
      'a conclusive refusal because of %s frees the nonce, and the attempt is then %s',
      async (cause, state) => {
        const { transaction } = await stage.driver.broadcast('a', 0n);
        stage.pass(1);
        expect(await stage.driver.refuse(0n, transaction.hash, { cause })).toMatchObject({
          applied: true,
          attempt: {
            state,
            nonce: null,
            readmit: state === 'accepted',
            endedAtMs: state === 'accepted' ? null : 5_001,
          },
          nonce: { owner: null, version: 2 },
        });
        expect(await stage.ledger.openNonces(lane)).toMatchObject([
          {
            row: { owner: null, version: 2 },
            owner: null,
            transactions: [{ gone: 'refused', rejectionCode: 'NODE_CODE' }],
          },
        ]);
      },
    );

    it('a nonce that is free after a refusal is assigned to another attempt, one price step higher', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.refuse(0n, transaction.hash);
      const b = await stage.driver.broadcast('b', 0n);
      expect(await stage.ledger.transactionsOf(b.attempt)).toMatchObject([
        { nonce: 0n, priceStep: 1 },
      ]);
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        {
          row: { version: 3 },
          owner: { id: b.attempt.id },
          transactions: [{ gone: 'refused' }, { gone: null }],
        },
      ]);
    });

    it('the ledger rejects a refusal after a second claim, because such a refusal proves nothing', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      const b = await stage.driver.broadcast('b', 1n);
      await stage.driver.claim(0n, a.transaction.hash);
      await stage.driver.lease();
      for (const { nonce, transaction, attempt } of [a, b]) {
        expect(await stage.driver.refuse(nonce, transaction.hash)).toEqual({
          applied: false,
          because: 'proves_nothing',
          attempt,
        });
      }
    });

    it('a nonce with a replacement and a no-op is free only when none of its transactions can land', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const dearer = aSignedTransaction('a', DEARER_FRI);
      const noop = aSignedTransaction('no-op', CEILING_FRI);
      expect(await stage.driver.store(attempt, 0n, dearer)).toMatchObject({
        applied: true,
        attempt,
        nonce: { version: 2 },
      });
      expect(await stage.driver.store(null, 0n, noop)).toMatchObject({
        applied: true,
        attempt,
        nonce: { version: 3 },
      });
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        {
          row: { owner: { key: attempt.key, attempt: 1 } },
          transactions: [
            { hash: transaction.hash, kind: 'call', sendCount: 1 },
            { hash: dearer.hash, kind: 'call', sendCount: 1, bounds: dearer.bounds },
            { hash: noop.hash, kind: 'noop', sendCount: 1, attempt: null },
          ],
        },
      ]);
      expect(await stage.ledger.transactionsOf(attempt)).toHaveLength(2);
      expect(await keptBytes(stage.ledger, noop.hash)).toEqual(noop.bytes);
      expect(await stage.driver.refuse(0n, transaction.hash)).toMatchObject({
        applied: true,
        attempt,
        nonce: { version: 4 },
      });
      expect(await stage.ledger.attempt(attempt)).toEqual(attempt);
    });

    it('rejects a second no-op that is not more expensive than the first no-op', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      const other = await stage.driver.accepted('b');
      const dearer = aSignedTransaction('dearer', DEARER_FRI);
      expect(
        await stage.driver.store(attempt, 0n, aSignedTransaction('cheap', 24_000_000_001n)),
      ).toMatchObject({
        because: 'price_too_low',
      });
      expect(await stage.driver.store(other, 0n, dearer)).toMatchObject({
        applied: false,
        because: 'nonce_taken',
        attempt: other,
      });
      await stage.driver.store(null, 0n, aSignedTransaction('no-op', DEARER_FRI));
      const second = await stage.driver.store(null, 0n, aSignedTransaction('second', DEARER_FRI));
      expect(second).toMatchObject({ applied: false, because: 'price_too_low', attempt });
      await stage.driver.store(null, 0n, aSignedTransaction('no-op', CEILING_FRI));
      const kinds = [{ kind: 'call' }, { kind: 'noop' }, { kind: 'noop' }];
      expect(await stage.ledger.openNonces(lane)).toMatchObject([{ transactions: kinds }]);
    });

    it('stores no transaction if the nonce’s row has changed since the command was created', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      await stage.driver.store(attempt, 0n, aSignedTransaction('a', DEARER_FRI));
      const noop = aSignedTransaction('no-op', CEILING_FRI);
      const late = await stage.driver.store(null, 0n, noop, { version: 1 });
      expect(late).toEqual({ applied: false, because: 'stale_version', attempt });
      expect(await keptBytes(stage.ledger, noop.hash)).toBeNull();
    });

    it('a no-op is stored only for a nonce that is a gap', async () => {
      const noop = aSignedTransaction('no-op', DEARER_FRI);
      const { transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.refuse(0n, transaction.hash);
      expect(await stage.driver.store(null, 0n, noop)).toMatchObject({
        applied: false,
        because: 'no_gap',
        attempt: null,
      });
      const above = await stage.driver.broadcast('b', 1n);
      expect(await stage.driver.store(null, 0n, noop)).toMatchObject({
        applied: true,
        attempt: null,
        nonce: { version: 3 },
      });
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        {
          owner: null,
          transactions: [
            { kind: 'call', gone: 'refused' },
            { kind: 'noop', gone: null, hash: noop.hash },
          ],
        },
        { owner: { id: above.attempt.id } },
      ]);
    });

    it('stores and clears the PRE_CONFIRMED result of a transaction', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const [before] = await stage.ledger.transactionsOf(attempt);
      for (const seen of [
        { execution: 'REVERTED', revertReason: 'why' },
        { execution: 'SUCCEEDED', revertReason: null },
        null,
      ] as const) {
        expect(await stage.driver.observe(0n, transaction.hash, seen)).toMatchObject({
          applied: true,
          attempt,
          nonce: null,
        });
        expect(await stage.ledger.transactionsOf(attempt)).toEqual([{ ...before, seen }]);
      }
      const unknown = await stage.driver.observe(0n, aSignedTransaction('x').hash, null);
      expect(unknown).toEqual({ applied: false, because: 'unknown_row', attempt });
      expect(await stage.driver.version(0n)).toBe(1);
    });

    it('rejects every lane write of an instance whose fence is stale, and changes no row', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.succeed(await stage.driver.broadcast('b', 1n));
      const before = [await stage.ledger.openNonces(lane), await stage.ledger.state()];
      const stale = { ...stage.driver.at(0n), fence: stage.driver.fence - 1n };
      const dearer = aSignedTransaction('dearer', DEARER_FRI);
      const carried = { fingerprint: attempt.fingerprint, transaction: dearer };
      const store = {
        type: 'store',
        ...stale,
        version: 1,
        ...carried,
        node: 'node-0',
        ceilingL2PriceFri: CEILING_FRI,
        nonceLimit: 9n,
      } as const;
      const settled = { ...stale, nonce: 1n, block: aBlock(100) };
      const ofOwner: SubmissionCommand[] = [
        { type: 'claim', ...stale, hash: transaction.hash, node: 'node-0' },
        { type: 'refusal', ...stale, hash: transaction.hash, code: 'X', cause: 'call' },
        { ...store, attempt },
        { ...store, attempt: null },
        {
          type: 'settle',
          ...stale,
          version: 1,
          consumer: took(transaction.hash),
          evidence: confirming(aBlock(100)),
        },
      ];
      for (const event of ofOwner)
        expect(await stage.ledger.apply(event)).toEqual({
          applied: false,
          because: 'stale_fence',
          attempt,
        });
      const others: SubmissionCommand[] = [
        { type: 'finalize', ...settled, evidence: confirming(aBlock(100)), horizonMs: 0 },
        {
          type: 'reopen',
          ...settled,
          evidence: contradicting(aBlock(100)),
          undone: aBlock(100),
          earlier: null,
        },
        { type: 'import', ...stale, nonce: 2n, through: 2n },
        {
          type: 'introduce',
          lane,
          fence: stale.fence,
          accountNonce: 9n,
          window: 1n,
          isAccepted: true,
          hasSentCalls: false,
        },
        { type: 'quarantine', lane, fence: stale.fence, until: 9n, isAged: false },
      ];
      for (const event of others)
        expect(await stage.ledger.apply(event)).toMatchObject({
          applied: false,
          because: 'stale_fence',
        });
      expect([await stage.ledger.openNonces(lane), await stage.ledger.state()]).toEqual(before);
      expect(await stage.ledger.calldata(attempt.id)).toHaveLength(
        aSubmission('a').calldata.length,
      );
    });
  });
}
