import { describe, expect, it } from '@jest/globals';
import type { SubmissionEvent } from '../domain/events.js';
import { LedgerDriver, aSignedTransaction, foreign, took } from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';

const { lane } = LedgerDriver;
const CEILING_FRI = 10n ** 12n;
const DEARER_FRI = 30_000_000_000n;

/** Rows C, K, R, N, H, S and O of the transition table. */
export function describeLaneEventsContract(start: StartLedger): void {
  describe('sends, replacements and evidence', () => {
    const stage = LedgerStage.forEachTest(start);

    it('counts claimed sends up to "more than one"', async () => {
      const { attempt, transaction } = await stage.driver.prepared('a', 0n);
      stage.driver.atMs = 2_000;
      expect(await stage.driver.claim(0n, transaction.hash)).toMatchObject({ written: true, attempt: { state: 'broadcast' } });
      expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([{ claims: 1, claimFence: stage.driver.fence, claimedAtMs: 2_000 }]);
      for (let again = 0; again < 2; again += 1) {
        expect(await stage.driver.claim(0n, transaction.hash)).toMatchObject({ written: true, attempt: { state: 'broadcast' } });
        expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([{ claims: 2 }]);
      }
    });

    it('claims nothing for an unknown hash, a dead transaction or a settled nonce', async () => {
      const a = await stage.driver.prepared('a', 0n);
      expect(await stage.driver.claim(0n, aSignedTransaction('x').hash)).toMatchObject({ written: false, because: 'unknown_row' });
      await stage.ledger.record({ type: 'release', ...stage.driver.at(0n), to: 'accepted', atMs: 2_000 });
      expect(await stage.driver.claim(0n, a.transaction.hash)).toMatchObject({ written: false, because: 'transaction_dead' });
      await stage.driver.settle(0n, foreign);
      expect(await stage.driver.claim(0n, a.transaction.hash)).toMatchObject({ written: false, because: 'nonce_settled' });
    });

    it.each([
      ['price', 'accepted'],
      ['funds', 'accepted'],
      ['call', 'refused'],
    ] as const)('frees the nonce after a conclusive refusal because of %s: the attempt is %s', async (cause, state) => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      const refusal = { type: 'refusal', ...stage.driver.at(0n), hash: transaction.hash, code: 'NODE_CODE', cause, atMs: 3_000 } as const;
      expect(await stage.ledger.record(refusal)).toMatchObject({
        written: true,
        attempt: { state, nonce: null, readmit: state === 'accepted' },
      });
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        { row: { owner: null }, owner: null, transactions: [{ dead: true, refusalCode: 'NODE_CODE' }] },
      ]);
    });

    it('lets another attempt take the freed nonce, one price step up', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      await stage.ledger.record({ type: 'refusal', ...stage.driver.at(0n), hash: transaction.hash, code: 'X', cause: 'call', atMs: 3_000 });
      const b = await stage.driver.broadcast('b', 0n);
      expect(await stage.ledger.transactionsOf(b.attempt)).toMatchObject([{ nonce: 0n, priceStep: 1 }]);
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        { owner: { id: b.attempt.id }, transactions: [{ dead: true }, { dead: false }] },
      ]);
    });

    it('takes a refusal for no proof after a second claim or under another fence', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      const b = await stage.driver.broadcast('b', 1n);
      await stage.driver.claim(0n, a.transaction.hash);
      await stage.driver.lease();
      for (const { nonce, transaction, attempt } of [a, b]) {
        const recorded = await stage.ledger.record({
          type: 'refusal',
          ...stage.driver.at(nonce),
          hash: transaction.hash,
          code: 'X',
          cause: 'call',
          atMs: 3_000,
        });
        expect(recorded).toEqual({ written: false, because: 'proves_nothing', attempt });
      }
    });

    it('stores a replacement and a no-op under the same nonce, oldest first, and keeps the nonce while one of them can land', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const dearer = aSignedTransaction('a', DEARER_FRI);
      const noop = aSignedTransaction('no-op', CEILING_FRI);
      const under = { ...stage.driver.at(0n), ceilingL2PriceFri: CEILING_FRI };
      expect(await stage.ledger.record({ type: 'replace', ...under, transaction: dearer })).toMatchObject({ written: true, attempt });
      expect(await stage.ledger.record({ type: 'cancel', ...under, transaction: noop })).toMatchObject({ written: true, attempt });
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        {
          row: { owner: { key: attempt.key, attempt: 1 } },
          transactions: [
            { hash: transaction.hash, kind: 'call', claims: 1 },
            { hash: dearer.hash, kind: 'call', claims: 0, bounds: dearer.bounds },
            { hash: noop.hash, kind: 'noop', claims: 0, attempt: null },
          ],
        },
      ]);
      expect(await stage.ledger.transactionsOf(attempt)).toHaveLength(2);
      expect(await stage.ledger.signedBytes(noop.hash)).toEqual(noop.bytes);
      await stage.ledger.record({ type: 'refusal', ...stage.driver.at(0n), hash: transaction.hash, code: 'X', cause: 'call', atMs: 3_000 });
      expect(await stage.ledger.attempt(attempt)).toEqual(attempt);
    });

    it('stores no replacement that does not outbid and no second no-op', async () => {
      await stage.driver.broadcast('a', 0n);
      const under = { ...stage.driver.at(0n), ceilingL2PriceFri: CEILING_FRI };
      const cheap = aSignedTransaction('cheap', 24_000_000_001n);
      expect(await stage.ledger.record({ type: 'replace', ...under, transaction: cheap })).toMatchObject({
        written: false,
        because: 'price_too_low',
      });
      await stage.ledger.record({ type: 'cancel', ...under, transaction: aSignedTransaction('no-op', DEARER_FRI) });
      const second = aSignedTransaction('no-op', CEILING_FRI);
      expect(await stage.ledger.record({ type: 'cancel', ...under, transaction: second })).toMatchObject({
        written: false,
        because: 'noop_exists',
      });
      expect(await stage.ledger.openNonces(lane)).toMatchObject([{ transactions: [{ kind: 'call' }, { kind: 'noop' }] }]);
    });

    it('fills a hole, and only a hole', async () => {
      const noop = aSignedTransaction('no-op');
      const fill = { type: 'fill', ...stage.driver.at(0n), transaction: noop } as const;
      await stage.driver.prepared('a', 0n);
      expect(await stage.ledger.record(fill)).toMatchObject({ written: false, because: 'nonce_taken' });
      await stage.ledger.record({ type: 'release', ...stage.driver.at(0n), to: 'expired', atMs: 2_000 });
      expect(await stage.ledger.record(fill)).toMatchObject({ written: false, because: 'no_hole' });
      const above = await stage.driver.broadcast('b', 1n);
      expect(await stage.ledger.record(fill)).toEqual({ written: true, attempt: null });
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        {
          owner: null,
          transactions: [
            { kind: 'call', dead: true },
            { kind: 'noop', dead: false, hash: noop.hash },
          ],
        },
        { owner: { id: above.attempt.id } },
      ]);
    });

    it.each([
      ['SUCCEEDED', 'succeeded', null],
      ['REVERTED', 'reverted', 'Note: already spent'],
    ] as const)('ends an attempt by the receipt of one of its hashes: %s', async (execution, state, revertReason) => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      stage.driver.atMs = 4_000;
      expect(await stage.driver.settle(0n, took(transaction.hash, { execution, revertReason }))).toMatchObject({
        written: true,
        attempt: { state, nonce: 0n, transactionHash: transaction.hash, revertReason, gasPaidFri: 2n ** 70n, endedAtMs: 4_000 },
      });
      expect(await stage.ledger.openNonces(lane)).toEqual([]);
      expect(await stage.ledger.nextNonce(lane)).toBe(1n);
    });

    it('takes the nonce from an attempt when a no-op or a stranger has it', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      const noop = aSignedTransaction('no-op', CEILING_FRI);
      await stage.ledger.record({ type: 'cancel', ...stage.driver.at(0n), ceilingL2PriceFri: CEILING_FRI, transaction: noop });
      const waits = { written: true, attempt: { id: a.attempt.id, state: 'accepted', lane: null, nonce: null, readmit: true } };
      expect(await stage.driver.settle(0n, took(noop.hash))).toMatchObject(waits);
      await stage.driver.broadcast('b', 1n);
      expect(await stage.driver.settle(1n, foreign, { to: 'refused', code: 'SPENT' })).toMatchObject({
        written: true,
        attempt: { state: 'refused', refusalCode: 'SPENT', nonce: null },
      });
    });

    it('settles a nonce once', async () => {
      const { transaction, attempt } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, took(transaction.hash));
      expect(await stage.driver.settle(0n, foreign)).toMatchObject({ written: false, because: 'nonce_settled' });
      expect(await stage.ledger.attempt(attempt)).toMatchObject({ state: 'succeeded' });
    });

    it('adds open rows for nonces that the chain has passed, without a gap', async () => {
      await stage.driver.succeed(await stage.driver.broadcast('a', 5n));
      expect(await stage.ledger.record({ type: 'catch_up', ...stage.driver.at(7n) })).toMatchObject({
        written: false,
        because: 'nonce_taken',
      });
      expect(await stage.ledger.record({ type: 'catch_up', ...stage.driver.at(6n) })).toEqual({ written: true, attempt: null });
      expect(await stage.ledger.openNonces(lane)).toMatchObject([{ row: { nonce: 6n, owner: null }, transactions: [] }]);
      expect(await stage.driver.settle(6n, foreign)).toEqual({ written: true, attempt: null });
      expect(await stage.ledger.nextNonce(lane)).toBe(7n);
    });

    it('notes what PRE_CONFIRMED shows and forgets it again, and nothing else changes', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const [before] = await stage.ledger.transactionsOf(attempt);
      const observe = { type: 'observe', lane, nonce: 0n, hash: transaction.hash } as const;
      for (const seen of [{ execution: 'REVERTED', revertReason: 'why' }, { execution: 'SUCCEEDED', revertReason: null }, null] as const) {
        expect(await stage.ledger.record({ ...observe, seen })).toEqual({ written: true, attempt });
        expect(await stage.ledger.transactionsOf(attempt)).toEqual([{ ...before, seen }]);
      }
      const unknown = { ...observe, hash: aSignedTransaction('x').hash, seen: null };
      expect(await stage.ledger.record(unknown)).toEqual({ written: false, because: 'unknown_row', attempt });
    });

    it('refuses every lane write of a stale holder, and nothing changes', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const before = await stage.ledger.openNonces(lane);
      const stale = { ...stage.driver.at(0n), fence: stage.driver.fence };
      await stage.driver.lease();
      const dearer = aSignedTransaction('dearer', DEARER_FRI);
      const events: SubmissionEvent[] = [
        { type: 'claim', ...stale, hash: transaction.hash, atMs: 1 },
        { type: 'refusal', ...stale, hash: transaction.hash, code: 'X', cause: 'call', atMs: 1 },
        { type: 'release', ...stale, to: 'expired', atMs: 1 },
        { type: 'replace', ...stale, transaction: dearer, ceilingL2PriceFri: CEILING_FRI },
        { type: 'cancel', ...stale, transaction: dearer, ceilingL2PriceFri: CEILING_FRI },
        { type: 'fill', ...stale, transaction: dearer },
        { type: 'settle', ...stale, taker: took(transaction.hash), loser: { to: 'accepted' }, atMs: 1 },
      ];
      for (const event of events) expect(await stage.ledger.record(event)).toEqual({ written: false, because: 'stale_fence', attempt });
      expect(await stage.ledger.record({ type: 'catch_up', ...stale, nonce: 1n })).toEqual({
        written: false,
        because: 'stale_fence',
        attempt: null,
      });
      expect(await stage.ledger.openNonces(lane)).toEqual(before);
    });
  });
}
