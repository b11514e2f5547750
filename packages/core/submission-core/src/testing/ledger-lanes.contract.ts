import type { TestRunner } from '@sotto/kernel/testing';
import { toFelt } from '@sotto/kernel';
import { LedgerOfAnotherChain } from '../errors.js';
import { LedgerDriver, aSignedTransaction, aSubmission, foreign, took } from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';
import { keptBytes } from './kept-bytes.js';

const { lane } = LedgerDriver;
const OTHER = toFelt('0xcafe');
const MAINNET = { chainId: toFelt('0x534e5f4d41494e'), genesisHash: toFelt('0x47c3') };

/**
 * Tests for the rows Q of the transition table, and for the state of the ledger as a whole: the
 * comparison of lanes with their chain, missing rows, and the identity of the chain.
 */
export function describeLanesContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('lanes, quarantine and the chain', () => {
    const stage = LedgerStage.forEachTest(runner, start);
    const laneNow = async (address = lane) =>
      (await stage.ledger.state()).lanes.find((row) => row.address === address);
    const otherLane = async (): Promise<LedgerDriver> => {
      const other = new LedgerDriver(stage.ledger, OTHER);
      await other.lease();
      return other;
    };

    it('introduces a lane only once, at the nonce that its account has on chain', async () => {
      expect(await laneNow()).toMatchObject({ nextNonce: null, quarantine: null, pausedFor: null });
      expect(await stage.driver.introduce(5n)).toMatchObject({
        applied: true,
        attempt: null,
        nonce: null,
      });
      expect(await laneNow()).toMatchObject({
        nextNonce: 5n,
        quarantine: null,
        leasedTo: LedgerDriver.instance,
      });
      expect(await stage.driver.introduce(9n)).toEqual({
        applied: false,
        because: 'known_already',
        attempt: null,
      });
    });

    it('a lane with unknown nonces is put into quarantine', async () => {
      await stage.driver.introduce(5n, { isAccepted: false, window: 20n });
      expect((await laneNow())?.quarantine).toEqual({
        cause: 'behind',
        until: 25n,
        sinceMs: 5_000,
        isAged: false,
      });
      const other = await otherLane();
      await other.introduce(5n, { isAccepted: false });
      expect((await laneNow(OTHER))?.quarantine).toMatchObject({ cause: 'behind' });
    });

    it('quarantines only the new lane if another lane was introduced earlier', async () => {
      await stage.driver.introduce(5n);
      const other = await otherLane();
      await other.introduce(0n, { isAccepted: false });
      expect((await laneNow(OTHER))?.quarantine).toMatchObject({ cause: 'introduced', until: 20n });
      const { attempt } = await stage.driver.broadcast('a', 5n);
      expect(attempt.state).toBe('broadcast');
      const b = await stage.driver.accepted('b');
      expect(await other.store(b, 0n, aSignedTransaction('b'))).toMatchObject({
        applied: false,
        because: 'lane_quarantined',
      });
    });

    it('the ledger assigns no nonce to a call on any lane while it is behind its chain on one lane', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const waiting = await stage.driver.accepted('b');
      expect(await stage.driver.quarantine(4n)).toMatchObject({
        applied: true,
        attempt: null,
        nonce: null,
      });
      const behind = { applied: false, because: 'ledger_behind' };
      expect(await stage.driver.store(waiting, 1n, aSignedTransaction('b'))).toMatchObject(behind);
      expect(await stage.driver.claim(0n, transaction.hash)).toMatchObject(behind);
      expect(await stage.driver.endWaiting(waiting)).toMatchObject(behind);
      expect(await stage.driver.quarantine(9n)).toMatchObject({
        applied: false,
        because: 'known_already',
      });
      expect(await stage.driver.settle(0n, took(transaction.hash))).toMatchObject({
        applied: true,
        attempt: { id: attempt.id },
      });
    });

    it('a quarantine ends when no-ops have consumed all of its nonces', async () => {
      await stage.driver.introduce(0n);
      await stage.driver.quarantine(2n);
      const noop = aSignedTransaction('no-op at 0');
      expect(await stage.driver.store(null, 0n, noop)).toMatchObject({
        applied: false,
        because: 'no_gap',
      });
      stage.pass(100);
      expect(await stage.driver.quarantine(1n, true)).toMatchObject({ applied: true });
      expect((await laneNow())?.quarantine).toEqual({
        cause: 'behind',
        until: 2n,
        sinceMs: 5_000,
        isAged: true,
      });
      expect(await stage.driver.store(null, 0n, noop)).toMatchObject({
        applied: true,
        attempt: null,
        nonce: { version: 1 },
      });
      expect(await stage.driver.store(null, 1n, aSignedTransaction('no-op at 1'))).toMatchObject({
        applied: true,
      });
      expect(await stage.driver.store(null, 2n, aSignedTransaction('no-op at 2'))).toMatchObject({
        applied: false,
      });
      await stage.driver.settle(0n, took(noop.hash));
      const open = { applied: false, because: 'lane_quarantined', attempt: null };
      expect(await stage.driver.endQuarantine()).toEqual(open);
      await stage.driver.settle(1n, foreign);
      expect(await stage.driver.endQuarantine()).toMatchObject({
        applied: true,
        attempt: null,
        nonce: null,
      });
      expect(await laneNow()).toMatchObject({ nextNonce: 2n, quarantine: null });
      expect(await stage.driver.endQuarantine()).toEqual(open);
    });

    it('a quarantine does not end while one of its nonces has no row', async () => {
      await stage.driver.introduce(0n);
      await stage.driver.quarantine(2n);
      await stage.driver.import(0n, 1n);
      expect(await stage.driver.endQuarantine()).toMatchObject({
        applied: false,
        because: 'lane_quarantined',
      });
      await stage.driver.quarantine(3n, true);
      expect(await stage.driver.endQuarantine()).toMatchObject({
        applied: false,
        because: 'lane_quarantined',
      });
      await stage.driver.import(2n, 3n);
      expect(await stage.driver.endQuarantine()).toMatchObject({ applied: true });
    });

    it('lanes that are behind their chain end their quarantine only together', async () => {
      const other = await otherLane();
      for (const driver of [stage.driver, other]) {
        await driver.introduce(0n);
        await driver.quarantine(2n);
        await driver.quarantine(2n, true);
        await driver.import(0n, 1n);
      }
      expect(await stage.driver.endQuarantine(lane)).toMatchObject({
        applied: false,
        because: 'lane_quarantined',
      });
      expect(await stage.driver.endQuarantine(lane, toFelt('0xdead'))).toMatchObject({
        applied: false,
        because: 'unknown_row',
      });
      expect(await stage.driver.endQuarantine(lane, OTHER)).toMatchObject({ applied: true });
      expect((await stage.ledger.state()).lanes).toMatchObject([
        { quarantine: null },
        { quarantine: null },
      ]);
    });

    it('the quarantine of several lanes does not end while a nonce of any of these lanes is open', async () => {
      const other = await otherLane();
      for (const driver of [stage.driver, other]) {
        await driver.introduce(0n);
        await driver.quarantine(1n);
        await driver.quarantine(1n, true);
        await driver.import(0n);
      }
      await stage.driver.settle(0n, foreign);
      expect(await stage.driver.endQuarantine(lane, OTHER)).toMatchObject({
        applied: false,
        because: 'lane_quarantined',
      });
      await other.settle(0n, foreign);
      expect(await stage.driver.endQuarantine(lane, OTHER)).toMatchObject({ applied: true });
    });

    it('an open row is imported only for the next nonce, so that the lane has no gap', async () => {
      await stage.driver.succeed(await stage.driver.broadcast('a', 5n));
      expect(await stage.driver.import(7n)).toEqual({
        applied: false,
        because: 'nonce_taken',
        attempt: null,
      });
      expect(await stage.driver.import(5n)).toMatchObject({
        applied: false,
        because: 'nonce_taken',
      });
      const row = {
        lane,
        nonce: 6n,
        through: 6n,
        state: 'open',
        version: 1,
        owner: null,
        settlement: null,
      };
      expect(await stage.driver.import(6n)).toMatchObject({
        applied: true,
        attempt: null,
        nonce: row,
      });
      expect(await stage.ledger.openNonces(lane)).toEqual([{ row, owner: null, transactions: [] }]);
      expect(await stage.driver.settle(6n, foreign)).toMatchObject({
        applied: true,
        attempt: null,
      });
      expect(await laneNow()).toMatchObject({ nextNonce: 7n });
    });

    it('a range of nonces is imported as one settled row', async () => {
      await stage.driver.introduce(5n);
      expect(await stage.driver.import(5n, 4n)).toMatchObject({
        applied: false,
        because: 'nonce_taken',
      });
      const million = 1_000_004n;
      expect(await stage.driver.import(5n, million)).toMatchObject({
        applied: true,
        nonce: {
          nonce: 5n,
          through: million,
          state: 'settled',
          settlement: { hash: null, isForeign: true, block: null, isFinal: true, atMs: 5_000 },
        },
      });
      expect(await laneNow()).toMatchObject({ nextNonce: million + 1n });
      for (const nonce of [5n, 777n, million]) {
        expect(await stage.driver.settle(nonce, foreign)).toMatchObject({
          applied: false,
          because: 'nonce_settled',
        });
      }
      expect(await stage.driver.settle(million + 1n, foreign)).toMatchObject({
        applied: false,
        because: 'unknown_row',
      });
      expect(await stage.ledger.openNonces(lane)).toEqual([]);
      const { attempt } = await stage.driver.broadcast('a', million + 1n);
      expect(attempt.nonce).toBe(million + 1n);
    });

    it('a waiting attempt gets the outcome of a call with the same key that another ledger has sent', async () => {
      await stage.driver.introduce(5n);
      await stage.driver.import(5n);
      const waiting = await stage.driver.accepted('a');
      await stage.driver.settle(5n, foreign);
      const adopted = await stage.driver.adopt(5n, 'a', foreign);
      expect(adopted).toMatchObject({
        applied: true,
        attempt: {
          id: waiting.id,
          attempt: 1,
          state: 'succeeded',
          lane,
          nonce: 5n,
          transactionHash: foreign.hash,
          isFinal: false,
        },
        nonce: {
          version: 3,
          owner: { key: waiting.key, attempt: 1 },
          settlement: { hash: foreign.hash, isForeign: false },
        },
      });
      expect(await stage.ledger.transactionsOf(waiting)).toMatchObject([
        { hash: foreign.hash, nonce: 5n, sendCount: 2, gone: null },
      ]);
      expect(await keptBytes(stage.ledger, foreign.hash)).toBeNull();
      expect(await stage.driver.adopt(5n, 'a', foreign)).toMatchObject({ applied: false });
      expect(await stage.driver.finalize(5n)).toMatchObject({
        applied: true,
        attempt: { id: waiting.id, isFinal: true },
      });
    });

    it('an adopted outcome replaces the expiry of an attempt, but the attempt’s id and number do not change', async () => {
      await stage.driver.introduce(5n);
      await stage.driver.import(5n);
      await stage.driver.settle(5n, foreign);
      const waiting = await stage.driver.accepted('a');
      await stage.driver.endWaiting(waiting, { code: 'NOT_SENT_IN_TIME' });
      const adopted = await stage.driver.adopt(5n, 'a', foreign);
      expect(adopted).toMatchObject({
        applied: true,
        attempt: {
          id: waiting.id,
          attempt: 1,
          state: 'succeeded',
          rejectionCode: null,
          transactionHash: foreign.hash,
        },
      });
      expect(await stage.ledger.attemptById(waiting.id)).toEqual(adopted.attempt);
      expect(await stage.ledger.lastAttempt(waiting.key)).toEqual(adopted.attempt);
      expect(await stage.driver.request('a')).toMatchObject({
        applied: false,
        because: 'already_succeeded',
      });
    });

    it('a call with an unknown key is adopted under a nonce of an imported range', async () => {
      await stage.driver.introduce(5n);
      await stage.driver.import(5n, 9n);
      const reverted = { ...foreign, execution: 'REVERTED', revertReason: 'no' } as const;
      const adopted = await stage.driver.adopt(7n, 'a', reverted);
      expect(adopted).toMatchObject({
        applied: true,
        attempt: {
          ...pick(aSubmission('a')),
          attempt: 1,
          state: 'reverted',
          nonce: 7n,
          isFinal: true,
          deadlineMs: 5_000,
        },
        nonce: null,
      });
      expect(await stage.ledger.attemptById('id-of-a')).toEqual(adopted.attempt);
      expect(await stage.ledger.calldata('id-of-a')).toBeNull();
      expect(await stage.driver.adopt(7n, 'a', reverted)).toMatchObject({
        applied: false,
        because: 'known_already',
      });
      expect(await stage.driver.adopt(10n, 'b', foreign)).toEqual({
        applied: false,
        because: 'unknown_row',
        attempt: null,
      });
    });

    it('a call is adopted even if its nonce was consumed before the lane’s introduction', async () => {
      await stage.driver.introduce(5n);
      const adopted = await stage.driver.adopt(3n, 'a', foreign);
      expect(adopted).toMatchObject({
        applied: true,
        attempt: { state: 'succeeded', nonce: 3n },
        nonce: { nonce: 3n, state: 'settled', version: 1 },
      });
      expect(await stage.ledger.lastAttempt(aSubmission('a').key)).toEqual(adopted.attempt);
      expect(await laneNow()).toMatchObject({ nextNonce: 5n });
      expect(await stage.driver.finalize(3n)).toMatchObject({
        applied: true,
        attempt: { isFinal: true },
      });
    });

    it('no outcome is adopted for a nonce that a transaction of this ledger has consumed', async () => {
      await stage.driver.succeed(await stage.driver.broadcast('a', 0n));
      expect(await stage.driver.adopt(0n, 'b', foreign)).toEqual({
        applied: false,
        because: 'not_settled_so',
        attempt: null,
      });
    });

    it('assigns no call to a paused lane until the lane is resumed', async () => {
      const { attempt, transaction } = await stage.driver.broadcast('a', 0n);
      const waiting = await stage.driver.accepted('b');
      expect(await stage.ledger.pauseLane(lane, 'its key is exposed')).toBe(true);
      expect(await laneNow()).toMatchObject({ pausedFor: 'its key is exposed', nextNonce: 1n });
      const stored = await stage.driver.store(waiting, 1n, aSignedTransaction('b'));
      expect(stored).toMatchObject({ applied: false, because: 'lane_paused', attempt: waiting });
      expect(await stage.driver.settle(0n, took(transaction.hash))).toMatchObject({
        applied: true,
        attempt: { id: attempt.id },
      });
      await stage.driver.lease();
      await stage.ledger.registerLane(lane, 'relay');
      expect(await laneNow()).toMatchObject({ pausedFor: 'its key is exposed' });
      expect(await stage.ledger.pauseLane(lane, null)).toBe(true);
      expect(await stage.driver.store(waiting, 1n, aSignedTransaction('b'))).toMatchObject({
        applied: true,
      });
      expect(await stage.ledger.pauseLane(toFelt('0xdead'), 'why')).toBe(false);
    });

    it('a ledger that is bound to a chain detects another chain with the same chain id by its first block', async () => {
      expect(await stage.ledger.state()).toMatchObject({ chain: null, lastBlock: null });
      await stage.ledger.bindChain(MAINNET);
      await stage.ledger.bindChain(MAINNET);
      expect(await stage.ledger.state()).toMatchObject({ chain: MAINNET });
      for (const change of [{ chainId: toFelt('0x1') }, { genesisHash: toFelt('0x1') }]) {
        await expect(stage.ledger.bindChain({ ...MAINNET, ...change })).rejects.toBeInstanceOf(
          LedgerOfAnotherChain,
        );
      }
      expect(await stage.ledger.state()).toMatchObject({ chain: MAINNET });
    });

    it('binds the ledger to only one chain when two chains are given concurrently', async () => {
      const another = { ...MAINNET, genesisHash: toFelt('0x2') };
      const bound = await Promise.allSettled([
        stage.ledger.bindChain(MAINNET),
        stage.ledger.bindChain(another),
      ]);
      expect(bound.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    it('stores the highest block number that was reported', async () => {
      for (const number of [7, 9, 8]) await stage.ledger.noteBlock(number);
      expect(await stage.ledger.state()).toMatchObject({ lastBlock: 9, chain: null });
    });

    it('T4: the ledger reports since when it may be a restored copy, until a command clears the reported time', async () => {
      const since = async (): Promise<number | null> =>
        (await stage.ledger.state()).possibleCopySinceMs;
      expect(await since()).toBeNull();
      await stage.markPossibleCopy();
      const firstMs = stage.nowMs;
      expect(await since()).toBe(firstMs);
      stage.pass(250);
      await stage.markPossibleCopy();
      await stage.ledger.clearPossibleCopy(firstMs);
      expect(await since()).toBe(stage.nowMs);
      await stage.ledger.clearPossibleCopy(stage.nowMs);
      expect(await since()).toBeNull();
    });

    it('jumps of the wall clock do not change the time of the store’s clock', async () => {
      stage.pass(250);
      stage.stepWallClock(-3_600_000);
      expect(await stage.ledger.state()).toMatchObject({ nowMs: 5_250, disprovedRefusals: 0 });
      stage.stepWallClock(7_200_000);
      stage.pass(50);
      expect(await stage.ledger.state()).toMatchObject({ nowMs: 5_300 });
    });
  });
}

function pick({
  key,
  id,
  effect,
  fingerprint,
  kind,
  subject,
  memo,
  role,
  target,
  limits,
  terms,
  replayProtected,
}: ReturnType<typeof aSubmission>): object {
  return {
    key,
    id,
    effect,
    fingerprint,
    kind,
    subject,
    memo,
    role,
    target,
    limits,
    terms,
    replayProtected,
  };
}
