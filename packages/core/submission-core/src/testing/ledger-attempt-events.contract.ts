import type { TestRunner } from '@sotto/kernel/testing';
import { toFelt } from '@sotto/kernel';
import {
  LedgerDriver,
  aBlock,
  aSignedTransaction,
  aSubmission,
  foreign,
  took,
} from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';
import { keptBytes } from './kept-bytes.js';

const { lane } = LedgerDriver;

/** Tests for rows A, St-P and X of the transition table. */
export function describeAttemptEventsContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('requests, nonces and ends', () => {
    const stage = LedgerStage.forEachTest(runner, start);

    it('accepts a request as attempt 1 with all requested fields, and stores the time of the store’s clock', async () => {
      const { calldata, deadlineAfterMs, ...requested } = aSubmission('a');
      stage.pass(17);
      stage.stepWallClock(-3_600_000);
      const recorded = await stage.driver.request('a');
      expect(recorded).toMatchObject({
        applied: true,
        nonce: null,
        attempt: {
          ...requested,
          attempt: 1,
          state: 'accepted',
          lane: null,
          nonce: null,
          readmit: false,
          avoidLane: null,
          acceptedAtMs: 5_017,
          deadlineMs: 5_017 + deadlineAfterMs,
          deadlineBlock: null,
          endedAtMs: null,
          rejectionCode: null,
          transactionHash: null,
          revertReason: null,
          gasPaidFri: null,
          isFinal: false,
          undone: null,
        },
      });
      expect(await stage.ledger.attemptById('id-of-a')).toEqual(recorded.attempt);
      expect((await stage.ledger.calldata('id-of-a'))?.equals(calldata)).toBe(true);
    });

    it('stores the last block of a submission, and that of a newer call', async () => {
      await stage.driver.request('a', { deadlineBlock: 1_234_567 });
      const attempt = await stage.ledger.attemptById('id-of-a');
      expect(attempt).toMatchObject({ deadlineBlock: 1_234_567 });
      if (attempt === null) throw new Error('the attempt is missing');
      const { calldata } = aSubmission('b');
      await stage.ledger.apply({
        type: 'renew',
        attempt: { key: attempt.key, attempt: attempt.attempt },
        effect: attempt.effect,
        fingerprint: 'newer',
        calldata,
        deadlineBlock: 1_234_600,
      });
      expect(await stage.ledger.attemptById('id-of-a')).toMatchObject({
        fingerprint: 'newer',
        deadlineBlock: 1_234_600,
      });
    });

    it('stores a submission without terms and without replay protection', async () => {
      await stage.driver.request('a', { terms: null, role: 'curator', replayProtected: false });
      expect(await stage.ledger.attemptById('id-of-a')).toMatchObject({
        terms: null,
        role: 'curator',
        replayProtected: false,
      });
    });

    it('a newer call replaces the fingerprint and the calldata of a waiting attempt', async () => {
      const attempt = await stage.driver.accepted('a', { effect: 'effect', fingerprint: 'older' });
      const renewed = await stage.driver.renew(attempt, 'b', {
        effect: 'effect',
        fingerprint: 'newer',
      });
      const newer = { ...attempt, effect: 'effect', fingerprint: 'newer' };
      expect(renewed).toMatchObject({ applied: true, attempt: newer, nonce: null });
      expect(await stage.ledger.attemptById(attempt.id)).toEqual(newer);
      expect((await stage.ledger.calldata(attempt.id))?.equals(aSubmission('b').calldata)).toBe(
        true,
      );

      const { attempt: carried } = await stage.driver.store(attempt, 0n, aSignedTransaction('b'));
      expect(
        await stage.driver.renew(attempt, 'c', { effect: 'effect', fingerprint: 'newest' }),
      ).toEqual({
        applied: false,
        because: 'attempt_moved_on',
        attempt: carried,
      });
      expect((await stage.ledger.calldata(attempt.id))?.equals(aSubmission('b').calldata)).toBe(
        true,
      );
    });

    it('a newer call with the same fingerprint does not replace the old call, because the old call may be signed already', async () => {
      const attempt = await stage.driver.accepted('a');
      const { effect, fingerprint } = attempt;
      expect(await stage.driver.renew(attempt, 'b', { effect, fingerprint })).toEqual({
        applied: false,
        because: 'known_already',
        attempt,
      });
      const kept = await stage.ledger.calldata(attempt.id);
      expect(kept?.equals(aSubmission('a').calldata)).toBe(true);
    });

    it('returns the live attempt for a second request with the same key', async () => {
      const attempt = await stage.driver.accepted('a');
      const again = await stage.driver.request('a', {
        id: 'another-id',
        effect: 'another effect',
        fingerprint: 'another fingerprint',
      });
      expect(again).toEqual({ applied: false, because: 'already_live', attempt });
      expect(await stage.ledger.attemptById('another-id')).toBeNull();
    });

    it('returns the succeeded attempt for a second request with the same key', async () => {
      await stage.driver.succeed(await stage.driver.broadcast('a', 0n));
      expect(await stage.driver.request('a', { id: 'another-id' })).toMatchObject({
        applied: false,
        because: 'already_succeeded',
        attempt: { attempt: 1, state: 'succeeded' },
      });
    });

    it.each(['REVERTED', 'refused', 'expired'] as const)(
      'creates attempt 2 after attempt 1 ended as %s',
      async (end) => {
        const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
        if (end === 'REVERTED')
          await stage.driver.settle(
            0n,
            took(transaction.hash, { execution: end, revertReason: 'no' }),
          );
        else await stage.driver.settle(0n, foreign);
        if (end !== 'REVERTED') await stage.driver.endWaiting(attempt, { to: end });
        expect(await stage.driver.request('a', { id: 'second' })).toMatchObject({
          applied: true,
          attempt: { attempt: 2, state: 'accepted' },
        });
        expect(await stage.ledger.lastAttempt(attempt.key)).toMatchObject({
          attempt: 2,
          id: 'second',
        });
        expect(await stage.ledger.attempt(attempt)).toMatchObject({ attempt: 1, id: 'id-of-a' });
      },
    );

    it('an unprotected call gets a second attempt only after the end of the first attempt is final', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n, { replayProtected: false });
      await stage.driver.settle(
        0n,
        took(transaction.hash, { execution: 'REVERTED', revertReason: 'no' }),
      );
      const again = { id: 'second', replayProtected: false };
      expect(await stage.driver.request('a', again)).toMatchObject({
        applied: false,
        because: 'not_final',
        attempt: { attempt: 1 },
      });
      await stage.driver.finalize(0n);
      expect(await stage.driver.request('a', again)).toMatchObject({
        applied: true,
        attempt: { attempt: 2 },
      });
    });

    it('accepts no request while the ledger is behind its chain', async () => {
      await stage.driver.introduce(3n, { isAccepted: false });
      expect(await stage.driver.request('a')).toEqual({
        applied: false,
        because: 'ledger_behind',
        attempt: null,
      });
      expect(await stage.ledger.attemptById('id-of-a')).toBeNull();
    });

    it('assigns the next nonce to an accepted attempt, and stores a claim for its first send', async () => {
      await stage.driver.introduce(7n);
      const accepted = await stage.driver.accepted('a');
      const transaction = aSignedTransaction('a');
      stage.pass(1_000);
      const recorded = await stage.driver.store(accepted, 7n, transaction);
      const row = {
        lane,
        nonce: 7n,
        through: 7n,
        state: 'open',
        version: 1,
        owner: { key: accepted.key, attempt: 1 },
        settlement: null,
      };
      const attempt = { ...accepted, state: 'broadcast', lane, nonce: 7n };
      expect(recorded).toMatchObject({ applied: true, attempt, nonce: row });
      expect(await stage.ledger.openNonces(lane)).toEqual([
        {
          row,
          owner: attempt,
          transactions: [
            {
              hash: transaction.hash,
              lane,
              nonce: 7n,
              kind: 'call',
              attempt: { key: accepted.key, attempt: 1 },
              priceStep: 0,
              bounds: transaction.bounds,
              sendCount: 1,
              claimFence: stage.driver.fence,
              claimedAtMs: 6_000,
              claimNode: 'node-0',
              gone: null,
              rejectionCode: null,
              seen: null,
            },
          ],
        },
      ]);
      expect(await keptBytes(stage.ledger, transaction.hash)).toEqual(transaction.bytes);
      expect((await stage.ledger.state()).lanes).toMatchObject([
        { address: lane, nextNonce: 8n, quarantine: null },
      ]);
    });

    it('assigns no nonce if the fence in the command is old', async () => {
      const attempt = await stage.driver.accepted('a');
      await stage.driver.introduce(0n);
      stage.driver.fence -= 1n;
      const stored = await stage.driver.store(attempt, 0n, aSignedTransaction('a'));
      expect(stored).toEqual({ applied: false, because: 'stale_fence', attempt });
      expect((await stage.ledger.state()).lanes).toMatchObject([{ nextNonce: 0n }]);
    });

    it('assigns no nonce that is already in use, settled, not next in order, or beyond the lane’s nonce window', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      const b = await stage.driver.accepted('b');
      const signed = aSignedTransaction('b');
      expect(await stage.driver.store(b, 0n, signed)).toMatchObject({
        applied: false,
        because: 'nonce_taken',
        attempt: b,
      });
      expect(await stage.driver.store(b, 2n, signed)).toMatchObject({
        applied: false,
        because: 'nonce_taken',
      });
      expect(await stage.driver.store(b, 1n, signed, { nonceLimit: 1n })).toMatchObject({
        because: 'nonce_beyond_window',
      });
      await stage.driver.settle(0n, took(transaction.hash));
      expect(await stage.driver.store(b, 0n, signed)).toMatchObject({
        applied: false,
        because: 'nonce_settled',
      });
      expect(await stage.ledger.attemptById(b.id)).toEqual(b);
      expect(await keptBytes(stage.ledger, signed.hash)).toBeNull();
    });

    it('assigns no nonce if the nonce’s row has changed since the command was created', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      const b = await stage.driver.accepted('b');
      await stage.driver.refuse(0n, transaction.hash);
      for (const version of [0, 1, 3]) {
        const stored = await stage.driver.store(b, 0n, aSignedTransaction('b'), { version });
        expect(stored).toEqual({ applied: false, because: 'stale_version', attempt: b });
      }
      expect(
        await stage.driver.store(b, 0n, aSignedTransaction('b'), { version: 2 }),
      ).toMatchObject({
        applied: true,
        nonce: { version: 3 },
      });
    });

    it('assigns no second nonce to an attempt that is in flight', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      const again = await stage.driver.store(attempt, 1n, aSignedTransaction('a again'));
      expect(again).toEqual({ applied: false, because: 'attempt_moved_on', attempt });
      expect((await stage.ledger.state()).lanes).toMatchObject([{ nextNonce: 1n }]);
    });

    it('an unprotected call that lost its nonce gets a new nonce only after this loss is final', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n, { replayProtected: false });
      await stage.driver.settle(0n, foreign);
      const again = aSignedTransaction('a again');
      expect(await stage.driver.store(attempt, 1n, again)).toMatchObject({
        applied: false,
        because: 'not_final',
      });
      await stage.driver.finalize(0n);
      expect(await stage.driver.store(attempt, 1n, again)).toMatchObject({
        applied: true,
        attempt: { state: 'broadcast', nonce: 1n },
      });
    });

    it('a transaction that is signed again for the same nonce uses its existing row', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      await stage.driver.refuse(0n, transaction.hash, { cause: 'funds' });
      expect(await stage.driver.store(attempt, 0n, transaction)).toMatchObject({
        applied: true,
        attempt: { state: 'broadcast' },
      });
      const [row, ...others] = await stage.ledger.transactionsOf(attempt);
      expect(row).toMatchObject({
        hash: transaction.hash,
        gone: null,
        sendCount: 1,
        priceStep: 0,
        rejectionCode: null,
      });
      expect(others).toEqual([]);
    });

    it('ends a waiting attempt with the code that the command contains', async () => {
      const attempt = await stage.driver.accepted('a');
      stage.pass(4_000);
      expect(await stage.driver.endWaiting(attempt, { code: 'DEADLINE_PASSED' })).toMatchObject({
        applied: true,
        attempt: { state: 'expired', rejectionCode: 'DEADLINE_PASSED', endedAtMs: 9_000 },
      });
      const again = await stage.driver.endWaiting(attempt);
      expect(again).toMatchObject({
        applied: false,
        because: 'attempt_moved_on',
        attempt: { state: 'expired' },
      });
    });

    it('does not expire an attempt before its deadline by the store’s clock', async () => {
      const attempt = await stage.driver.accepted('a');
      stage.stepWallClock(3_600_000);
      stage.pass(999);
      expect(await stage.driver.endWaiting(attempt, { notBeforeMs: 6_000 })).toEqual({
        applied: false,
        because: 'too_early',
        attempt,
      });
      stage.pass(1);
      expect(await stage.driver.endWaiting(attempt, { notBeforeMs: 6_000 })).toMatchObject({
        applied: true,
      });
    });

    it('an attempt that has a nonce cannot be ended like a waiting attempt', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      expect(await stage.driver.endWaiting(attempt)).toEqual({
        applied: false,
        because: 'attempt_moved_on',
        attempt,
      });
    });

    it('a waiting unprotected call ends only when none of its transactions can land any more', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n, { replayProtected: false });
      await stage.driver.settle(0n, { ...foreign, block: aBlock(7) });
      expect(await stage.driver.endWaiting(attempt)).toMatchObject({
        applied: false,
        because: 'not_final',
        attempt: { state: 'accepted' },
      });
      await stage.driver.finalize(0n);
      expect(await stage.driver.endWaiting(attempt)).toMatchObject({
        applied: true,
        attempt: { state: 'expired' },
      });
    });

    it('rejects the end of an attempt with an unknown key', async () => {
      const ended = await stage.driver.endWaiting({ key: 'unknown', attempt: 1 });
      expect(ended).toEqual({ applied: false, because: 'unknown_row', attempt: null });
    });

    it('an attempt avoids the lane whose account caused the refusal of the attempt', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      expect(await stage.driver.refuse(0n, transaction.hash, { cause: 'account' })).toMatchObject({
        applied: true,
        attempt: { state: 'accepted', avoidLane: lane, readmit: true },
      });
      expect(await stage.ledger.attemptById('id-of-a')).toMatchObject({ avoidLane: lane });
      expect(await stage.ledger.waiting('relay', 1)).toMatchObject([{ avoidLane: lane }]);
    });

    it('rejects a write for an unknown lane like a write with a stale fence', async () => {
      const attempt = await stage.driver.accepted('a');
      const elsewhere = { lane: toFelt('0xdead'), version: 0 };
      expect(
        await stage.driver.store(attempt, 0n, aSignedTransaction('a'), elsewhere),
      ).toMatchObject({ because: 'stale_fence' });
    });
  });
}
