import type { TestRunner } from '@sotto/kernel/testing';
import type {
  Attempt,
  Lane,
  NonceRow,
  Quarantine,
  Settlement,
  TransactionRow,
} from '../domain/rows.js';
import type { RowChanges } from '../domain/machine-state.js';
import { LedgerUnavailable } from '../errors.js';
import { LedgerDriver, aBlock, aSignedTransaction, aSubmission } from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';
import { envelopeOf } from '../domain/signed-envelope.js';
import { keptBytes } from './kept-bytes.js';

const { lane } = LedgerDriver;
const ROW: NonceRow = {
  lane,
  nonce: 0n,
  through: 0n,
  state: 'open',
  version: 1,
  owner: null,
  settlement: null,
};
const QUARANTINE: Quarantine = { cause: 'behind', until: 9n, sinceMs: 1_000, isAged: true };
const BY_FOREIGN: Settlement = {
  hash: aSignedTransaction('foreign').hash,
  isForeign: true,
  execution: 'SUCCEEDED',
  block: aBlock(1),
  feeFri: null,
  disprovesRejection: false,
  atMs: 1_000,
  isFinal: false,
};

/** Tests that the store rejects a wrong decision and writes no row of it. */
export function describeLedgerConstraintsContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('constraints against any decision', () => {
    const stage = LedgerStage.forEachTest(runner, start);

    /** Sends a request for an unrelated key, with `writes` as its decision. */
    async function decideAndRecord(writes: RowChanges): Promise<void> {
      stage.decideToWrite(writes);
      try {
        await stage.driver.request('unrelated');
      } finally {
        stage.decideByTheMachine();
      }
    }

    const refused = async (writes: RowChanges): Promise<void> => {
      await expect(decideAndRecord(writes)).rejects.toBeInstanceOf(LedgerUnavailable);
    };

    async function anotherAttempt(changes: Partial<Attempt>): Promise<Attempt> {
      const template = await stage.driver.accepted('template');
      return { ...template, key: 'chain|pool|new', id: 'id-of-new', ...changes };
    }

    async function storedTransaction(attempt: Attempt): Promise<TransactionRow> {
      const [row] = await stage.ledger.transactionsOf(attempt);
      if (row === undefined) throw new Error('no transaction is stored');
      return row;
    }

    it('the store writes the rows of a valid decision', async () => {
      await decideAndRecord({ attempts: [await anotherAttempt({})] });
      expect(await stage.ledger.attemptById('id-of-new')).toMatchObject({ state: 'accepted' });
    });

    it('stores only one row per key and attempt number', async () => {
      const { attempt, transaction, nonce } = await stage.driver.broadcast('a', 0n);
      await stage.driver.succeed({ attempt, transaction, nonce });
      const ended = await stage.ledger.attempt(attempt);
      await refused({
        attempts: [
          {
            ...attempt,
            state: 'expired',
            id: 'id-of-new',
            lane: null,
            nonce: null,
            endedAtMs: 1,
            rejectionCode: 'X',
          },
        ],
      });
      expect(await stage.ledger.attempt(attempt)).toEqual(ended);
      expect(await stage.ledger.attemptById('id-of-new')).toBeNull();
    });

    it('stores only one attempt per id', async () => {
      await refused({ attempts: [await anotherAttempt({ id: 'id-of-template' })] });
      expect(await stage.ledger.attemptById('id-of-template')).toMatchObject({
        key: 'chain|pool|template',
      });
    });

    it.each(['accepted', 'broadcast'] as const)(
      'stores only one live attempt per key: rejects a second attempt that is %s',
      async (state) => {
        const { attempt } = await stage.driver.broadcast('a', 0n);
        const place = state === 'accepted' ? { lane: null, nonce: null } : { lane, nonce: 1n };
        await refused({ attempts: [{ ...attempt, attempt: 2, id: 'second', state, ...place }] });
        expect(await stage.ledger.lastAttempt(attempt.key)).toEqual(attempt);
      },
    );

    it('stores only one live attempt per nonce', async () => {
      await stage.driver.broadcast('a', 0n);
      await refused({ attempts: [await anotherAttempt({ state: 'broadcast', lane, nonce: 0n })] });
      expect(await stage.ledger.attemptById('id-of-new')).toBeNull();
    });

    it('a nonce can have rows of an ended attempt and of a live attempt', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      const ended = {
        state: 'succeeded',
        lane,
        nonce: 0n,
        endedAtMs: 9_000,
        transactionHash: transaction.hash,
      } as const;
      await decideAndRecord({ attempts: [await anotherAttempt(ended)] });
      expect(await stage.ledger.attemptById('id-of-new')).toMatchObject(ended);
    });

    it('stores only one row per lane and nonce', async () => {
      await stage.driver.broadcast('a', 0n);
      const [before] = await stage.ledger.openNonces(lane);
      await refused({ nonces: [ROW] });
      expect(await stage.ledger.openNonces(lane)).toEqual([before]);
    });

    it('stores only one transaction per lane, nonce, price step and kind', async () => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      const row = await storedTransaction(attempt);
      const other = aSignedTransaction('other').hash;
      await refused({ transactions: [{ ...row, priceStep: 1 }] });
      await refused({ transactions: [{ ...row, hash: other, gone: 'refused' }] });
      expect(await stage.ledger.transactionsOf(attempt)).toEqual([row]);
      await decideAndRecord({
        transactions: [{ ...row, hash: other, kind: 'noop', attempt: null }],
      });
      await decideAndRecord({
        transactions: [{ ...row, hash: aSignedTransaction('step').hash, priceStep: 1 }],
      });
      expect(await stage.ledger.transactionsOf(attempt)).toHaveLength(2);
    });

    it.each<[string, Partial<Attempt>]>([
      ['broadcast without a nonce', { state: 'broadcast' }],
      ['accepted with a nonce', { lane, nonce: 9n }],
      ['a nonce without a lane', { state: 'broadcast', nonce: 9n }],
      ['succeeded without a transaction', { state: 'succeeded', lane, nonce: 9n, endedAtMs: 1 }],
      ['refused without a code', { state: 'refused', endedAtMs: 1 }],
      [
        'refused with a nonce',
        { state: 'refused', endedAtMs: 1, rejectionCode: 'X', lane, nonce: 9n },
      ],
      ['expired without an end', { state: 'expired', rejectionCode: 'X' }],
      ['accepted with an end', { endedAtMs: 1 }],
      ['number zero', { attempt: 0 }],
      ['final without a transaction', { isFinal: true }],
      ['to avoid a lane that does not exist', { avoidLane: aSignedTransaction('lane').hash }],
    ])('rejects an invalid attempt row: %s', async (_, changes) => {
      await refused({ attempts: [await anotherAttempt(changes)] });
      expect(await stage.ledger.attemptById('id-of-new')).toBeNull();
    });

    it.each<[string, Partial<NonceRow>]>([
      ['settled without a settlement', { state: 'settled' }],
      ['open with a settlement', { settlement: BY_FOREIGN }],
      [
        'settled by one of ours without a hash',
        { state: 'settled', settlement: { ...BY_FOREIGN, hash: null, isForeign: false } },
      ],
      [
        'settled by nothing in a block',
        { state: 'settled', settlement: { ...BY_FOREIGN, hash: null } },
      ],
      ['held by an attempt that does not exist', { owner: { key: 'unknown', attempt: 1 } }],
      ['of a lane that does not exist', { lane: aSignedTransaction('lane').hash }],
      ['below zero', { nonce: -1n, through: -1n }],
      ['of version zero', { version: 0 }],
      ['an open range', { through: 5n }],
      ['a range downwards', { nonce: 5n, state: 'settled', settlement: BY_FOREIGN }],
      ['beyond 64 bits', { nonce: 2n ** 63n, through: 2n ** 63n }],
    ])('rejects an invalid nonce row: %s', async (_, changes) => {
      await refused({ nonces: [{ ...ROW, ...changes }] });
      expect(await stage.ledger.openNonces(lane)).toEqual([]);
    });

    it.each<[string, Partial<Lane>]>([
      ['that begins below zero', { nextNonce: -1n }],
      ['that ends beyond 64 bits', { nextNonce: 2n ** 63n }],
      ['in quarantine before its first nonce', { quarantine: QUARANTINE }],
      [
        'in quarantine up to below zero',
        { nextNonce: 0n, quarantine: { ...QUARANTINE, until: -1n } },
      ],
      ['that does not exist', { address: aSignedTransaction('lane').hash }],
    ])('rejects an invalid lane row %s', async (_, changes) => {
      const { lanes } = await stage.ledger.state();
      const [row] = lanes;
      if (row === undefined) throw new Error('the lane is missing');
      await refused({ lanes: [{ ...row, ...changes }] });
      expect((await stage.ledger.state()).lanes).toEqual(lanes);
    });

    it('a decision changes only the next nonce and the quarantine in a lane’s row', async () => {
      const { lanes } = await stage.ledger.state();
      const [row] = lanes;
      if (row === undefined) throw new Error('the lane is missing');
      const wrong = {
        role: 'curator',
        leasedTo: 'another',
        fence: 99n,
        pausedFor: 'no reason',
      } as const;
      await decideAndRecord({
        lanes: [{ ...row, ...wrong, nextNonce: 3n, quarantine: QUARANTINE }],
      });
      expect((await stage.ledger.state()).lanes).toEqual([
        { ...row, nextNonce: 3n, quarantine: QUARANTINE },
      ]);
    });

    it.each<[string, Partial<TransactionRow>]>([
      ['a call of no attempt', { attempt: null }],
      ['a no-op of an attempt', { kind: 'noop' }],
      ['under a nonce without a row', { nonce: 9n }],
      ['of an attempt that does not exist', { attempt: { key: 'unknown', attempt: 1 } }],
      ['one step below the first', { priceStep: -1 }],
      ['claimed under no fence', { claimFence: null }],
      ['claimed, but no send', { sendCount: 0 }],
    ])('rejects an invalid transaction row: %s', async (_, changes) => {
      const { attempt } = await stage.driver.broadcast('a', 0n);
      const row = {
        ...(await storedTransaction(attempt)),
        hash: aSignedTransaction('other').hash,
        priceStep: 1,
      };
      await refused({ transactions: [{ ...row, ...changes }] });
      expect(await stage.ledger.transactionsOf(attempt)).toHaveLength(1);
    });

    it('stores no bytes for a transaction or attempt that does not exist', async () => {
      const orphan = aSignedTransaction('orphan');
      const { hash } = orphan;
      await refused({ signed: { hash, envelope: envelopeOf(orphan) } });
      await refused({ calldata: { id: 'orphan', calldata: aSubmission('orphan').calldata } });
      expect(await keptBytes(stage.ledger, hash)).toBeNull();
      expect(await stage.ledger.calldata('orphan')).toBeNull();
    });

    it('writes no row of a decision if one of its rows is rejected', async () => {
      const good = await anotherAttempt({});
      const bad: NonceRow = { ...ROW, state: 'settled' };
      await refused({
        attempts: [good],
        calldata: { id: good.id, calldata: aSubmission('new').calldata },
        nonces: [bad],
      });
      expect(await stage.ledger.attemptById(good.id)).toBeNull();
      expect(await stage.ledger.calldata(good.id)).toBeNull();
      expect(await stage.driver.request('after')).toMatchObject({ applied: true });
    });

    it('writes no row of a large decision if one of its rows is rejected', async () => {
      await stage.driver.introduce(5n);
      const laneNow = async (): Promise<readonly Lane[]> => (await stage.ledger.state()).lanes;
      const before = await laneNow();
      await refused({
        nonces: [{ ...ROW, state: 'settled' }],
        lanes: [70n, 71n, 72n, 73n, 74n, 75n].flatMap((nextNonce) =>
          before.map((row) => ({ ...row, nextNonce })),
        ),
      });
      // If a statement had continued after its database transaction was aborted, it would have run
      // before this request.
      await stage.driver.request('after');
      expect(await laneNow()).toEqual(before);
    });

    it('rejects a command for a nonce that exceeds 64 bits', async () => {
      await expect(
        stage.driver.claim(2n ** 63n, aSignedTransaction('a').hash),
      ).rejects.toBeInstanceOf(LedgerUnavailable);
      expect(await stage.driver.request('after')).toMatchObject({ applied: true });
    });

    it('the error for a rejected row contains no private data', async () => {
      const writes: RowChanges = { attempts: [await anotherAttempt({ state: 'broadcast' })] };
      const error: unknown = await decideAndRecord(writes).then(
        () => null,
        (reason: unknown) => reason,
      );
      const reported =
        error instanceof LedgerUnavailable
          ? `${error.message} ${String(error.cause)} ${JSON.stringify(error.details)}`
          : '';
      expect(reported).not.toBe('');
      for (const secret of ['chain|pool|new', 'id-of-new', lane])
        expect(reported).not.toContain(secret);
    });
  });
}
