import { describe, expect, it } from '@jest/globals';
import { refOf } from '../../src/domain/rows.js';
import {
  LedgerDriver,
  aBlock,
  aSignedTransaction,
  aSubmission,
  confirming,
  contradicting,
  keptBytes,
  took,
} from '../../src/testing/index.js';
import { LANE, SECOND_LANE, Table, rejectedWith } from './table.js';

const REVERTED = { execution: 'REVERTED', revertReason: 'no' } as const;
/** Hash of a transaction that was sent with the lost ledger. */
const THEIRS = aSignedTransaction('sent by the lost ledger').hash;

describe('transition table: the outcome of a lost ledger is adopted (Q2)', () => {
  const table = Table.forEachTest();

  /** Settles nonce 5 with a transaction that this ledger does not have. */
  async function consumed(changes: Parameters<typeof took>[1] = {}) {
    await table.driver.introduce(5n);
    await table.driver.import(5n);
    const consumer = took(THEIRS, changes);
    await table.driver.settle(5n, consumer);
    return consumer;
  }

  it('Q2: the waiting attempt with the same key gets the adopted outcome and its nonce', async () => {
    const consumer = await consumed();
    const waiting = await table.driver.accepted('a');
    table.nowMs = 6_000;
    const outcome = {
      state: 'succeeded',
      lane: LANE,
      nonce: 5n,
      transactionHash: THEIRS,
      gasPaidFri: consumer.feeFri,
      endedAtMs: 6_000,
      deadlineMs: waiting.deadlineMs,
    };
    expect(await table.driver.adopt(5n, 'a', consumer)).toMatchObject({
      applied: true,
      attempt: { id: waiting.id, attempt: 1, ...outcome, isFinal: false },
      nonce: {
        version: 3,
        owner: refOf(waiting),
        settlement: {
          hash: THEIRS,
          isForeign: false,
          execution: 'SUCCEEDED',
          block: consumer.block,
          feeFri: consumer.feeFri,
          isFinal: false,
        },
      },
    });
    expect(await table.ledger.transactionsOf(waiting)).toMatchObject([
      {
        hash: THEIRS,
        nonce: 5n,
        kind: 'call',
        priceStep: 0,
        sendCount: 2,
        claimFence: table.driver.fence,
        claimedAtMs: 6_000,
        gone: null,
      },
    ]);
  });

  it('Q2: the adoption for an unknown key creates an attempt with the adopted outcome, without calldata', async () => {
    const consumer = await consumed({ ...REVERTED, feeFri: 7n });
    expect(await table.driver.adopt(5n, 'a', consumer)).toMatchObject({
      applied: true,
      attempt: {
        id: 'id-of-a',
        attempt: 1,
        state: 'reverted',
        revertReason: 'no',
        gasPaidFri: 7n,
        acceptedAtMs: 5_000,
        deadlineMs: 5_000,
        endedAtMs: 5_000,
      },
    });
    expect(await table.ledger.calldata('id-of-a')).toBeNull();
    expect(await table.driver.request('a', { id: 'second' })).toMatchObject({
      applied: true,
      attempt: { attempt: 2 },
    });
  });

  it.each(['expired', 'refused'] as const)(
    'T5: Q2 replaces the end of a last attempt that is %s without a receipt by the adopted outcome',
    async (to) => {
      const consumer = await consumed();
      const waiting = await table.driver.accepted('a', { id: 'first' });
      await table.driver.endWaiting(waiting, { to, code: 'NOT_SENT_IN_TIME' });
      table.nowMs = 7_000;
      expect(await table.driver.adopt(5n, 'a', consumer)).toMatchObject({
        applied: true,
        attempt: {
          id: 'first',
          attempt: 1,
          state: 'succeeded',
          rejectionCode: null,
          transactionHash: THEIRS,
          lane: LANE,
          nonce: 5n,
          endedAtMs: 7_000,
          acceptedAtMs: waiting.acceptedAtMs,
          // The end of this attempt was reported to callers. The call is therefore not sent again
          // if a rollback undoes this outcome.
          deadlineMs: 7_000,
        },
      });
      expect(await table.ledger.attempt({ key: 'chain|pool|a', attempt: 2 })).toBeNull();
    },
  );

  it('Q2: the adopted outcome gets a new attempt if the key’s last attempt reverted with a receipt', async () => {
    const { attempt: first, transaction } = await table.driver.broadcast('a', 0n, {
      id: 'first',
    });
    await table.driver.settle(0n, took(transaction.hash, { ...REVERTED, block: aBlock(99) }));
    await table.driver.import(1n);
    await table.driver.settle(1n, took(THEIRS));
    expect(await table.driver.adopt(1n, 'a', took(THEIRS))).toMatchObject({
      attempt: { attempt: 2, state: 'succeeded' },
    });
    expect(await table.attempt(first)).toMatchObject({ state: 'reverted' });
  });

  it('T5: the adopted outcome gets a new attempt if the key’s last attempt expired with a different request (Q2)', async () => {
    const consumer = await consumed();
    const other = await table.driver.accepted('a', {
      id: 'first',
      effect: 'does something else',
      fingerprint: 'asked for something else',
    });
    await table.driver.endWaiting(other);
    expect(await table.driver.adopt(5n, 'a', consumer)).toMatchObject({
      attempt: { id: 'id-of-a', attempt: 2, state: 'succeeded' },
    });
    expect(await table.attempt(other)).toMatchObject({ state: 'expired' });
  });

  it('Q2: a rollback undoes an adopted outcome, and the adopted call can not be sent again', async () => {
    const consumer = await consumed();
    await table.driver.adopt(5n, 'a', consumer);
    await table.driver.reopen(5n);
    const open = await table.nonce(5n);
    expect(open).toMatchObject({ owner: 'chain|pool|a', transactions: ['call 0 c=2'] });
    expect(await keptBytes(table.ledger, THEIRS)).toBeNull();
    expect(await table.ledger.lastAttempt('chain|pool|a')).toMatchObject({
      state: 'broadcast',
      undone: { execution: 'SUCCEEDED' },
    });
  });

  it('Q2: after a rollback, the nonce belongs to the attempt with the adopted outcome', async () => {
    const { attempt: loser } = await table.driver.broadcast('b', 0n);
    await table.driver.settle(0n, took(THEIRS));
    await table.driver.adopt(0n, 'a', took(THEIRS));
    await table.driver.reopen(0n);
    expect(await table.nonce(0n)).toMatchObject({
      owner: 'chain|pool|a',
      transactions: ['call 0 c=2', 'call 1 c=2'],
    });
    expect(await table.ledger.lastAttempt('chain|pool|a')).toMatchObject({
      state: 'broadcast',
      undone: { execution: 'SUCCEEDED' },
    });
    expect(await table.attempt(loser)).toMatchObject({ state: 'accepted', undone: null });
  });

  it('Q2: a rollback undoes an adopted outcome even if the attempt that had lost the nonce now has another nonce', async () => {
    const { attempt: loser } = await table.driver.broadcast('b', 0n);
    await table.driver.settle(0n, took(THEIRS));
    await table.driver.adopt(0n, 'a', took(THEIRS));
    await table.driver.store(refOf(loser), 1n, aSignedTransaction('b again'));
    await table.driver.reopen(0n);
    expect(await table.ledger.lastAttempt('chain|pool|a')).toMatchObject({
      state: 'broadcast',
      nonce: 0n,
      transactionHash: null,
    });
    expect(await table.attempt(loser)).toMatchObject({ state: 'broadcast', nonce: 1n });
  });

  it('Q2: an adopted outcome under a final nonce is final', async () => {
    const consumer = await consumed();
    await table.driver.finalize(5n);
    expect(await table.driver.adopt(5n, 'a', consumer)).toMatchObject({
      attempt: { isFinal: true },
      nonce: { settlement: { isFinal: true } },
    });
  });

  it('Q2: adoption in an imported range gives the attempt its outcome, but creates no row for the nonce', async () => {
    await table.driver.introduce(5n);
    await table.driver.import(5n, 90n);
    expect(await table.driver.adopt(40n, 'a', took(THEIRS))).toMatchObject({
      applied: true,
      attempt: { state: 'succeeded', nonce: 40n, isFinal: true },
      nonce: null,
    });
    expect(await table.ledger.transactionsOf({ key: 'chain|pool|a', attempt: 1 })).toEqual([]);
  });

  it('Q2: adoption for a nonce below the lane’s first nonce creates a row, so that a rollback can undo the outcome', async () => {
    await table.driver.introduce(5n);
    expect(await table.driver.adopt(4n, 'a', took(THEIRS))).toMatchObject({
      applied: true,
      attempt: { state: 'succeeded', nonce: 4n, isFinal: false },
      nonce: {
        nonce: 4n,
        through: 4n,
        version: 1,
        state: 'settled',
        settlement: { hash: THEIRS, isForeign: false, block: aBlock(100), isFinal: false },
      },
    });
    expect(await table.lane()).toMatchObject({ nextNonce: 5n });
    await table.driver.reopen(4n);
    expect(await table.nonce(4n)).toMatchObject({
      owner: 'chain|pool|a',
      transactions: ['call 0 c=2'],
    });
  });

  it('Q2: a call is adopted even if a no-op of this ledger was stored under the same nonce', async () => {
    await table.driver.introduce(5n, { isAccepted: false, window: 1n });
    await table.driver.quarantine(6n, true);
    const noop = aSignedTransaction('no-op', 10n ** 12n);
    await table.noop(5n, noop);
    await table.driver.settle(5n, took(THEIRS));
    expect(await table.driver.adopt(5n, 'a', took(THEIRS))).toMatchObject({ applied: true });
    expect(await table.ledger.transactionsOf({ key: 'chain|pool|a', attempt: 1 })).toMatchObject([
      { hash: THEIRS, priceStep: 1 },
    ]);
  });

  it('Q2: adoption is rejected for a transaction whose block the evidence does not confirm', async () => {
    const consumer = await consumed();
    const { deadlineAfterMs: _deadline, ...submission } = aSubmission('a');
    const adoption = { type: 'adopt', lane: LANE, nonce: 5n, submission, consumer } as const;
    for (const evidence of [contradicting(consumer.block), confirming(aBlock(99))])
      expect(await table.ledger.apply({ ...adoption, evidence })).toMatchObject(
        rejectedWith('proves_nothing'),
      );
    expect(await table.ledger.lastAttempt(submission.key)).toBeNull();
  });

  it('Q2: adoption is rejected for an open nonce, a nonce without a row, and a lane that was never introduced', async () => {
    expect(await table.driver.adopt(4n, 'a', took(THEIRS))).toMatchObject(
      rejectedWith('unknown_row'),
    );
    await table.driver.introduce(5n);
    expect(await table.driver.adopt(5n, 'a', took(THEIRS))).toMatchObject(
      rejectedWith('unknown_row'),
    );
    await table.driver.import(5n);
    expect(await table.driver.adopt(5n, 'a', took(THEIRS))).toMatchObject(
      rejectedWith('unknown_row'),
    );
  });

  it('Q2: adoption is rejected for a lane that the ledger does not contain', async () => {
    const unknown = new LedgerDriver(table.ledger, SECOND_LANE);
    expect(await unknown.adopt(4n, 'a', took(THEIRS))).toMatchObject(rejectedWith('unknown_row'));
  });

  it('Q2: adoption is rejected if another transaction, or a transaction of this ledger, has settled the nonce', async () => {
    const consumer = await consumed();
    const other = { ...consumer, hash: aSignedTransaction('another').hash };
    expect(await table.driver.adopt(5n, 'a', other)).toMatchObject(rejectedWith('not_settled_so'));
    const ours = await table.driver.broadcast('b', 6n);
    await table.driver.settle(6n, took(ours.transaction.hash, { ...REVERTED, block: aBlock(101) }));
    expect(await table.driver.adopt(6n, 'b', took(ours.transaction.hash))).toMatchObject(
      rejectedWith('not_settled_so'),
    );
  });

  it('Q2: adoption is rejected for a waiting attempt with a different request if the contract executes only one of both requests', async () => {
    const consumer = await consumed();
    const waiting = await table.driver.accepted('a', {
      id: 'first',
      effect: 'does something else',
      fingerprint: 'asked for something else',
    });
    expect(await table.driver.adopt(5n, 'a', consumer)).toMatchObject(
      rejectedWith('other_request'),
    );
    expect(await table.attempt(waiting)).toMatchObject({ state: 'accepted' });
    await table.driver.endWaiting(waiting);
    expect(await table.driver.adopt(5n, 'a', consumer)).toMatchObject({
      applied: true,
      attempt: { attempt: 2, state: 'succeeded' },
    });
  });

  it('Q2: adoption is rejected if the key’s last attempt has succeeded or is broadcast', async () => {
    const consumer = await consumed(REVERTED);
    await table.driver.succeed(await table.driver.broadcast('paid', 6n));
    expect(await table.driver.adopt(5n, 'paid', consumer)).toMatchObject(
      rejectedWith('already_succeeded'),
    );
    await table.driver.broadcast('sent', 7n);
    expect(await table.driver.adopt(5n, 'sent', consumer)).toMatchObject(
      rejectedWith('already_live'),
    );
    await table.driver.import(8n, 9n);
    await table.driver.adopt(9n, 'a', consumer);
    expect(await table.driver.adopt(9n, 'a', consumer)).toMatchObject(
      rejectedWith('known_already'),
    );
    expect(await table.ledger.lastAttempt('chain|pool|a')).toMatchObject({ attempt: 1 });
  });
});
