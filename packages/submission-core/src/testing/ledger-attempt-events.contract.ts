import { describe, expect, it } from '@jest/globals';
import { LedgerDriver, aSignedTransaction, aSubmission, foreign, took } from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';

/** Rows A, P, L and X of the transition table. */
export function describeAttemptEventsContract(start: StartLedger): void {
  describe('requests, nonces and ends', () => {
    const stage = LedgerStage.forEachTest(start);

    it('accepts a request as attempt 1 with everything that was asked for', async () => {
      const { calldata, ...asked } = aSubmission('a');
      const recorded = await stage.driver.request('a');
      expect(recorded).toEqual({
        written: true,
        attempt: {
          ...asked,
          attempt: 1,
          state: 'accepted',
          lane: null,
          nonce: null,
          readmit: false,
          acceptedAtMs: stage.driver.atMs,
          endedAtMs: null,
          refusalCode: null,
          transactionHash: null,
          revertReason: null,
          gasPaidFri: null,
        },
      });
      expect((await stage.ledger.calldata('id-of-a'))?.equals(calldata)).toBe(true);
    });

    it('keeps a submission without terms', async () => {
      await stage.driver.request('a', { terms: null, role: 'curator' });
      expect(await stage.ledger.attemptById('id-of-a')).toMatchObject({ terms: null, role: 'curator' });
    });

    it('answers a request whose key is live with the live attempt', async () => {
      const attempt = await stage.driver.accepted('a');
      const again = await stage.driver.request('a', { id: 'another-id', fingerprint: 'another fingerprint' });
      expect(again).toEqual({ written: false, because: 'already_live', attempt });
      expect(await stage.ledger.attemptById('another-id')).toBeNull();
    });

    it('answers a request whose key has succeeded with that attempt', async () => {
      await stage.driver.succeed(await stage.driver.broadcast('a', 0n));
      expect(await stage.driver.request('a', { id: 'another-id' })).toMatchObject({
        written: false,
        because: 'already_succeeded',
        attempt: { attempt: 1, state: 'succeeded' },
      });
    });

    it.each(['REVERTED', 'refused', 'expired'] as const)('opens attempt 2 after attempt 1 ended %s', async (end) => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      if (end === 'REVERTED') await stage.driver.settle(0n, took(transaction.hash, { execution: end, revertReason: 'no' }));
      else await stage.driver.settle(0n, foreign, { to: end, code: 'NO_LONGER_WANTED' });
      expect(await stage.driver.request('a', { id: 'second' })).toMatchObject({
        written: true,
        attempt: { attempt: 2, state: 'accepted' },
      });
      expect(await stage.ledger.lastAttempt(attempt.key)).toMatchObject({ attempt: 2, id: 'second' });
      expect(await stage.ledger.attempt(attempt)).toMatchObject({ attempt: 1, id: 'id-of-a' });
    });

    it('gives an accepted attempt a nonce and stores the bytes, unclaimed', async () => {
      const { attempt, transaction } = await stage.driver.prepared('a', 7n);
      expect(attempt).toMatchObject({ state: 'prepared', lane: LedgerDriver.lane, nonce: 7n });
      expect(await stage.ledger.openNonces(LedgerDriver.lane)).toEqual([
        {
          row: {
            lane: LedgerDriver.lane,
            nonce: 7n,
            state: 'open',
            owner: { key: attempt.key, attempt: 1 },
            settledBy: null,
            gasPaidFri: null,
          },
          owner: attempt,
          transactions: [
            {
              hash: transaction.hash,
              lane: LedgerDriver.lane,
              nonce: 7n,
              kind: 'call',
              attempt: { key: attempt.key, attempt: 1 },
              priceStep: 0,
              bounds: transaction.bounds,
              claims: 0,
              claimFence: null,
              claimedAtMs: null,
              dead: false,
              refusalCode: null,
              seen: null,
            },
          ],
        },
      ]);
      expect(await stage.ledger.signedBytes(transaction.hash)).toEqual(transaction.bytes);
    });

    it('prepares and claims the first send in one write', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      expect(attempt.state).toBe('broadcast');
      expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([
        { claims: 1, claimFence: stage.driver.fence, claimedAtMs: stage.driver.atMs },
      ]);
    });

    it('gives a nonce to nobody under an old fence', async () => {
      const attempt = await stage.driver.accepted('a');
      stage.driver.fence -= 1n;
      expect(await stage.driver.prepare(attempt, 0n, aSignedTransaction('a'))).toEqual({ written: false, because: 'stale_fence', attempt });
      expect(await stage.ledger.nextNonce(LedgerDriver.lane)).toBeNull();
    });

    it('gives nobody a nonce that is held, settled, or not the next one', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      const b = await stage.driver.accepted('b');
      expect(await stage.driver.prepare(b, 0n, aSignedTransaction('b'))).toMatchObject({ written: false, because: 'nonce_taken' });
      expect(await stage.driver.prepare(b, 2n, aSignedTransaction('b'))).toMatchObject({ written: false, because: 'nonce_taken' });
      await stage.driver.settle(0n, took(transaction.hash));
      expect(await stage.driver.prepare(b, 0n, aSignedTransaction('b'))).toMatchObject({ written: false, because: 'nonce_settled' });
      expect(await stage.ledger.attemptById(b.id)).toEqual(b);
      expect(await stage.ledger.signedBytes(aSignedTransaction('b').hash)).toBeNull();
    });

    it('gives no second nonce to an attempt that has one or has ended', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      const again = await stage.driver.prepare(attempt, 1n, aSignedTransaction('a again'));
      expect(again).toEqual({ written: false, because: 'attempt_moved_on', attempt });
      expect(await stage.ledger.nextNonce(LedgerDriver.lane)).toBe(1n);
    });

    it('releases a nonce under which no send was claimed', async () => {
      const { transaction } = await stage.driver.prepared('a', 0n);
      const released = await stage.ledger.record({ type: 'release', ...stage.driver.at(0n), to: 'accepted', atMs: 2_000 });
      expect(released).toMatchObject({ written: true, attempt: { state: 'accepted', lane: null, nonce: null } });
      expect(await stage.ledger.openNonces(LedgerDriver.lane)).toMatchObject([
        { row: { nonce: 0n, owner: null }, owner: null, transactions: [{ hash: transaction.hash, dead: true }] },
      ]);
    });

    it('ends an attempt as expired when its nonce is released for good', async () => {
      await stage.driver.prepared('a', 0n);
      const released = await stage.ledger.record({ type: 'release', ...stage.driver.at(0n), to: 'expired', atMs: 2_000 });
      expect(released).toMatchObject({ written: true, attempt: { state: 'expired', nonce: null, endedAtMs: 2_000 } });
    });

    it('does not release a nonce under which a send was claimed', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      const released = await stage.ledger.record({ type: 'release', ...stage.driver.at(0n), to: 'accepted', atMs: 2_000 });
      expect(released).toMatchObject({ written: false, attempt });
      expect(await stage.ledger.attempt(attempt)).toEqual(attempt);
    });

    it('revives the row when the same bytes are stored at the same nonce again', async () => {
      const { attempt, transaction } = await stage.driver.prepared('a', 0n);
      await stage.ledger.record({ type: 'release', ...stage.driver.at(0n), to: 'accepted', atMs: 2_000 });
      expect(await stage.driver.prepare(attempt, 0n, transaction)).toMatchObject({ written: true, attempt: { state: 'broadcast' } });
      expect(await stage.ledger.transactionsOf(attempt)).toMatchObject([{ hash: transaction.hash, dead: false, claims: 1, priceStep: 0 }]);
    });

    it('ends a waiting attempt with its code', async () => {
      const attempt = await stage.driver.accepted('a');
      const end = { type: 'end_waiting', attempt, to: 'expired', code: 'DEADLINE_PASSED', atMs: 9_000 } as const;
      expect(await stage.ledger.record(end)).toMatchObject({
        written: true,
        attempt: { state: 'expired', refusalCode: 'DEADLINE_PASSED', endedAtMs: 9_000 },
      });
      expect(await stage.ledger.record(end)).toMatchObject({ written: false, because: 'attempt_moved_on', attempt: { state: 'expired' } });
    });

    it('does not end an attempt that has a nonce as if it waited', async () => {
      const { attempt } = await stage.driver.prepared('a', 0n);
      const ended = await stage.ledger.record({ type: 'end_waiting', attempt, to: 'refused', code: 'X', atMs: 9_000 });
      expect(ended).toEqual({ written: false, because: 'attempt_moved_on', attempt });
    });

    it('knows no attempt to end for an unknown key', async () => {
      const attempt = { key: 'nobody', attempt: 1 };
      const ended = await stage.ledger.record({ type: 'end_waiting', attempt, to: 'refused', code: 'X', atMs: 9_000 });
      expect(ended).toEqual({ written: false, because: 'unknown_row', attempt: null });
    });
  });
}
