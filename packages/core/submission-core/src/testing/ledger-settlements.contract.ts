import type { TestRunner } from '@sotto/kernel/testing';
import { toFelt } from '@sotto/kernel';
import {
  contradicting,
  LedgerDriver,
  aBlock,
  aSignedTransaction,
  foreign,
  took,
} from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';
import { keptBytes } from './kept-bytes.js';

const { lane, ceilingL2PriceFri: CEILING_FRI } = LedgerDriver;
const REVERTED = { execution: 'REVERTED', revertReason: 'Note: already spent' } as const;

/** Tests for rows S, F and U of the transition table. */
export function describeSettlementsContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('evidence, finality and rollbacks', () => {
    const stage = LedgerStage.forEachTest(runner, start);

    it.each([
      ['SUCCEEDED', 'succeeded', null],
      ['REVERTED', 'reverted', 'Note: already spent'],
    ] as const)(
      'ends an attempt by the receipt of one of its transactions: %s',
      async (execution, state, revertReason) => {
        const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
        stage.pass(1_000);
        const consumer = took(transaction.hash, { execution, revertReason, block: aBlock(7) });
        const recorded = await stage.driver.settle(0n, consumer);
        const settled = {
          lane,
          nonce: 0n,
          through: 0n,
          state: 'settled',
          version: 2,
          owner: { key: attempt.key, attempt: 1 },
          settlement: {
            hash: transaction.hash,
            isForeign: false,
            execution,
            block: aBlock(7),
            feeFri: 2n ** 70n,
            disprovesRejection: false,
            atMs: 6_000,
            isFinal: false,
          },
        };
        const outcome = {
          state,
          transactionHash: transaction.hash,
          revertReason,
          gasPaidFri: 2n ** 70n,
          endedAtMs: 6_000,
        };
        expect(recorded).toMatchObject({
          applied: true,
          attempt: { ...attempt, ...outcome },
          nonce: settled,
        });
        expect(await stage.ledger.openNonces(lane)).toEqual([]);
        expect(await stage.ledger.unfinalNonces(lane, 'newest', 10)).toEqual([settled]);
      },
    );

    it('an attempt loses its nonce if a no-op or a foreign transaction consumes the nonce', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      const noop = aSignedTransaction('no-op', CEILING_FRI);
      await stage.driver.store(null, 0n, noop);
      const waits = { id: a.attempt.id, state: 'accepted', lane: null, nonce: null, readmit: true };
      const byNoop = { hash: noop.hash, isForeign: false, feeFri: 2n ** 70n };
      expect(await stage.driver.settle(0n, took(noop.hash))).toMatchObject({
        applied: true,
        attempt: waits,
        nonce: { owner: null, settlement: byNoop },
      });
      await stage.driver.broadcast('b', 1n);
      expect(await stage.driver.settle(1n, foreign)).toMatchObject({
        applied: true,
        attempt: { id: 'id-of-b', state: 'accepted', nonce: null },
        nonce: {
          owner: null,
          settlement: { hash: foreign.hash, isForeign: true, feeFri: null, execution: 'SUCCEEDED' },
        },
      });
      expect(await stage.ledger.transactionsOf(a.attempt)).toMatchObject([{ gone: 'lost' }]);
    });

    it('returns the block that contains an attempt’s transaction, until this block is rolled back', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const other = await stage.driver.broadcast('b', 1n);
      expect(await stage.ledger.inclusionOf(attempt)).toBeNull();
      await stage.driver.settle(0n, took(transaction.hash, { block: aBlock(7) }));
      expect(await stage.ledger.inclusionOf(attempt)).toEqual(aBlock(7));
      expect(await stage.ledger.inclusionOf({ key: attempt.key, attempt: 2 })).toBeNull();
      expect(await stage.ledger.inclusionOf(other.attempt)).toBeNull();
      await stage.driver.settle(1n, foreign);
      expect(await stage.ledger.inclusionOf(other.attempt)).toBeNull();
      await stage.driver.reopen(0n);
      expect(await stage.ledger.inclusionOf(attempt)).toBeNull();
    });

    it('rejects a settlement whose evidence was read for an older version of the row', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      await stage.driver.refuse(0n, a.transaction.hash);
      const b = await stage.driver.broadcast('b', 0n);
      for (const version of [0, 1, 2]) {
        const settled = await stage.driver.settle(0n, foreign, { version });
        expect(settled).toEqual({ applied: false, because: 'stale_version', attempt: b.attempt });
      }
      expect(await stage.driver.settle(0n, took(b.transaction.hash), { version: 3 })).toMatchObject(
        { applied: true },
      );
    });

    it('a refused transaction that is found on chain ends its attempt', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      await stage.driver.refuse(0n, a.transaction.hash, { cause: 'funds' });
      const b = await stage.driver.broadcast('b', 0n);
      const settled = await stage.driver.settle(0n, took(a.transaction.hash));
      expect(settled).toMatchObject({
        applied: true,
        nonce: { owner: null, settlement: { disprovesRejection: true, isForeign: false } },
      });
      expect(await stage.ledger.attempt(a.attempt)).toMatchObject({
        state: 'succeeded',
        nonce: 0n,
        transactionHash: a.transaction.hash,
      });
      expect(await stage.ledger.attempt(b.attempt)).toMatchObject({
        state: 'accepted',
        readmit: true,
      });
      expect(await stage.ledger.transactionsOf(a.attempt)).toMatchObject([{ gone: null }]);
      expect(await stage.ledger.state()).toMatchObject({ disprovedRefusals: 1 });
    });

    it('settles a nonce only once', async () => {
      const { transaction, attempt } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, took(transaction.hash));
      expect(await stage.driver.settle(0n, foreign)).toMatchObject({
        applied: false,
        because: 'nonce_settled',
      });
      expect(await stage.driver.settle(5n, foreign)).toMatchObject({
        applied: false,
        because: 'unknown_row',
        attempt: null,
      });
      expect(await stage.ledger.attempt(attempt)).toMatchObject({ state: 'succeeded' });
    });

    it('an attempt ends as succeeded if one of its transactions succeeded, although its last transaction reverted', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, { ...foreign, block: aBlock(7) });
      const again = aSignedTransaction('a again');
      await stage.driver.store(attempt, 1n, again);
      await stage.driver.reopen(0n);
      await stage.driver.settle(0n, took(transaction.hash, { feeFri: 5n }));
      // The attempt holds the second nonce, so the settlement of the first nonce does not write an
      // outcome yet.
      expect(await stage.ledger.attempt(attempt)).toMatchObject({ state: 'broadcast', nonce: 1n });
      expect(await stage.driver.settle(1n, took(again.hash, REVERTED))).toMatchObject({
        applied: true,
        attempt: {
          state: 'succeeded',
          lane,
          nonce: 0n,
          transactionHash: transaction.hash,
          gasPaidFri: 5n,
          revertReason: null,
        },
      });
    });

    it('an attempt ends as succeeded if one of its transactions succeeded on another lane', async () => {
      const other = new LedgerDriver(stage.ledger, toFelt('0xcafe'));
      await other.lease();
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, foreign);
      const again = aSignedTransaction('a again');
      await other.store(attempt, 5n, again);
      await stage.driver.reopen(0n);
      await stage.driver.settle(0n, took(transaction.hash));
      const paid = { state: 'succeeded', lane, nonce: 0n, transactionHash: transaction.hash };
      expect(await other.settle(5n, foreign)).toMatchObject({
        applied: true,
        attempt: paid,
        nonce: { owner: null },
      });
      expect(await stage.ledger.attempt(attempt)).toMatchObject(paid);
    });

    it('a refused attempt ends with the receipt of its transaction under an earlier nonce', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, foreign);
      const again = aSignedTransaction('a again');
      await stage.driver.store(attempt, 1n, again);
      await stage.driver.reopen(0n);
      await stage.driver.settle(0n, took(transaction.hash, { ...REVERTED, feeFri: 5n }));
      const reverted = {
        state: 'reverted',
        lane,
        nonce: 0n,
        transactionHash: transaction.hash,
        gasPaidFri: 5n,
        rejectionCode: null,
      };
      expect(await stage.driver.refuse(1n, again.hash)).toMatchObject({
        applied: true,
        attempt: reverted,
        nonce: { owner: null },
      });
      expect(await stage.ledger.attempt(attempt)).toMatchObject(reverted);
    });

    it('an attempt with a success and an older revert is reported as succeeded', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const [second, third] = [aSignedTransaction('a again'), aSignedTransaction('a once more')];
      await stage.driver.settle(0n, foreign);
      await stage.driver.store(attempt, 1n, second);
      await stage.driver.settle(1n, foreign);
      await stage.driver.store(attempt, 2n, third);
      await stage.driver.reopen(0n);
      await stage.driver.reopen(1n);
      await stage.driver.settle(0n, took(transaction.hash, REVERTED));
      await stage.driver.settle(1n, took(second.hash));
      expect(await stage.driver.refuse(2n, third.hash)).toMatchObject({
        attempt: { state: 'succeeded', nonce: 1n, transactionHash: second.hash },
      });
    });

    it('a waiting attempt without a nonce ends if one of its earlier transactions has a receipt', async () => {
      const other = new LedgerDriver(stage.ledger, toFelt('0xcafe'));
      await other.lease();
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, foreign);
      await other.store(attempt, 0n, aSignedTransaction('a again'));
      await stage.driver.reopen(0n);
      await stage.driver.settle(0n, took(transaction.hash, REVERTED));
      expect(await other.settle(0n, foreign)).toMatchObject({
        applied: true,
        attempt: { state: 'accepted' },
      });
      const reverted = {
        state: 'reverted',
        lane,
        nonce: 0n,
        transactionHash: transaction.hash,
        gasPaidFri: 2n ** 70n,
      };
      expect(await stage.driver.endWaiting(attempt)).toMatchObject({
        applied: true,
        attempt: { ...reverted, rejectionCode: null },
      });
      expect(await stage.driver.request('a', { id: 'second' })).toMatchObject({
        applied: true,
        attempt: { attempt: 2 },
      });
    });

    it('the end of an attempt becomes final only with the block that contains its transaction', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, took(transaction.hash));
      const other = await stage.driver.finalize(0n, { block: aBlock(100, ' of a fork') });
      expect(other).toMatchObject({
        applied: false,
        because: 'not_settled_so',
        attempt: { isFinal: false },
      });
      expect(await stage.driver.finalize(0n)).toMatchObject({
        applied: true,
        attempt: { id: attempt.id, state: 'succeeded', isFinal: true },
        nonce: { version: 2, settlement: { isFinal: true } },
      });
      expect(await stage.ledger.unfinalNonces(lane, 'oldest', 10)).toEqual([]);
      const block = aBlock(100);
      expect(await stage.driver.finalize(0n, { block })).toMatchObject({
        applied: false,
        because: 'known_already',
      });
    });

    it('lists the final nonces of a lane whose block is known, the highest nonce first', async () => {
      for (const [name, nonce] of [
        ['a', 0n],
        ['b', 1n],
        ['c', 2n],
        ['d', 3n],
      ] as const)
        await stage.driver.succeed(await stage.driver.broadcast(name, nonce));
      for (const nonce of [2n, 0n, 1n]) await stage.driver.finalize(nonce);
      await stage.driver.import(4n, 9n);
      const noncesOf = async (limit: number): Promise<readonly bigint[]> =>
        (await stage.ledger.finalNonces(lane, limit)).map(({ nonce }) => nonce);
      expect(await noncesOf(10)).toEqual([2n, 1n, 0n]);
      expect(await noncesOf(2)).toEqual([2n, 1n]);
      expect(await stage.ledger.finalNonces(toFelt('0xbeef'), 10)).toEqual([]);
    });

    it('a final nonce is reopened if two heads contradict its block', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, took(transaction.hash));
      await stage.driver.finalize(0n);
      await stage.ledger.redact(3_600_000);
      expect(await stage.driver.reopen(0n)).toMatchObject({
        applied: false,
        because: 'proves_nothing',
      });
      const earlier = contradicting(aBlock(100), 'an earlier head');
      expect(await stage.driver.reopen(0n, { earlier })).toMatchObject({
        applied: true,
        nonce: { state: 'open', owner: null, settlement: null, version: 3 },
      });
      expect(await stage.ledger.attempt(attempt)).toMatchObject({
        state: 'expired',
        rejectionCode: 'UNDONE_BY_ROLLBACK',
        transactionHash: null,
        isFinal: false,
        undone: { transactionHash: transaction.hash, execution: 'SUCCEEDED' },
      });
      expect(await stage.ledger.finalNonces(lane, 10)).toEqual([]);
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        { owner: null, transactions: [{ hash: transaction.hash, gone: null }] },
      ]);
      expect(await stage.driver.request('a', { id: 'again' })).toMatchObject({
        applied: true,
        attempt: { attempt: 2 },
      });
      await stage.driver.settle(0n, took(transaction.hash, { block: aBlock(101) }));
      await stage.driver.finalize(0n);
      expect(await stage.ledger.attempt(attempt)).toMatchObject({
        state: 'succeeded',
        isFinal: true,
      });
    });

    it('an end without L1 acceptance becomes final only when its age reaches the finality horizon', async () => {
      await stage.driver.succeed(await stage.driver.broadcast('a', 0n));
      const late = { isOnL1: false, horizonMs: 1_000 };
      stage.stepWallClock(3_600_000);
      stage.pass(999);
      expect(await stage.driver.finalize(0n, late)).toMatchObject({
        applied: false,
        because: 'too_early',
      });
      stage.pass(1);
      expect(await stage.driver.finalize(0n, late)).toMatchObject({ applied: true });
    });

    it('a nonce belongs to its previous attempt again after a rollback', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, took(transaction.hash, REVERTED));
      stage.pass(2_000);
      const undone = {
        transactionHash: transaction.hash,
        execution: 'REVERTED',
        undoneAtMs: 7_000,
      };
      expect(await stage.driver.reopen(0n)).toMatchObject({
        applied: true,
        attempt: { ...attempt, undone },
        nonce: {
          lane,
          nonce: 0n,
          through: 0n,
          state: 'open',
          version: 3,
          owner: { key: attempt.key, attempt: 1 },
          settlement: null,
        },
      });
      expect(await stage.ledger.attempt(attempt)).toEqual({ ...attempt, undone });
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        { owner: { undone }, transactions: [{ gone: null, sendCount: 2 }] },
      ]);
      expect(await keptBytes(stage.ledger, transaction.hash)).toEqual(transaction.bytes);
      expect(
        await stage.driver.settle(0n, took(transaction.hash, { block: aBlock(101) })),
      ).toMatchObject({
        applied: true,
        attempt: { state: 'succeeded', undone },
        nonce: { version: 4 },
      });
    });

    it('a nonce is reopened only for the block that settled it', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      const block = aBlock(100);
      expect(await stage.driver.reopen(0n, { block })).toMatchObject({
        applied: false,
        because: 'not_settled_so',
        attempt,
      });
      expect(await stage.driver.reopen(9n, { block })).toMatchObject({
        applied: false,
        because: 'unknown_row',
      });
      await stage.driver.settle(0n, foreign);
      expect(await stage.driver.reopen(0n, { block: aBlock(101) })).toMatchObject({
        applied: false,
        because: 'not_settled_so',
      });
      expect(await stage.driver.reopen(0n)).toMatchObject({
        applied: true,
        attempt: { id: attempt.id, state: 'broadcast', nonce: 0n },
      });
    });

    it('a reopened nonce is assigned to no attempt if a newer attempt with the same key exists', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.settle(0n, took(transaction.hash, REVERTED));
      const second = await stage.driver.request('a', { id: 'second' });
      expect(await stage.driver.reopen(0n)).toMatchObject({
        applied: true,
        nonce: { state: 'open', owner: null },
      });
      // The first attempt ends, but without the outcome that it had before.
      const undone = { transactionHash: transaction.hash, execution: 'REVERTED' };
      expect(await stage.ledger.attempt(attempt)).toMatchObject({
        state: 'expired',
        lane: null,
        transactionHash: null,
        undone,
      });
      expect(await stage.ledger.attemptById('second')).toEqual(second.attempt);
    });

    it('a conclusively refused transaction cannot land again after its nonce is reopened', async () => {
      const a = await stage.driver.broadcast('a', 0n);
      await stage.driver.refuse(0n, a.transaction.hash, { cause: 'funds' });
      await stage.driver.succeed(await stage.driver.broadcast('b', 0n));
      await stage.driver.reopen(0n);
      expect(await stage.ledger.openNonces(lane)).toMatchObject([
        {
          owner: { id: 'id-of-b' },
          transactions: [
            { gone: 'refused', sendCount: 1 },
            { gone: null, sendCount: 2 },
          ],
        },
      ]);
    });

    it('lists settled nonces that are not final by block height, newest first or oldest first', async () => {
      const heights = [7, 9, 8, 9, 6];
      for (const [index, height] of heights.entries()) {
        const { transaction } = await stage.driver.broadcast(`at ${index}`, BigInt(index));
        await stage.driver.settle(BigInt(index), took(transaction.hash, { block: aBlock(height) }));
      }
      await stage.driver.finalize(4n);
      await stage.driver.import(5n, 50n);
      const nonces = async (order: 'newest' | 'oldest', limit: number): Promise<bigint[]> =>
        (await stage.ledger.unfinalNonces(lane, order, limit)).map(({ nonce }) => nonce);
      expect(await nonces('newest', 10)).toEqual([3n, 1n, 2n, 0n]);
      expect(await nonces('oldest', 10)).toEqual([0n, 2n, 1n, 3n]);
      expect(await nonces('oldest', 2)).toEqual([0n, 2n]);
    });
  });
}
