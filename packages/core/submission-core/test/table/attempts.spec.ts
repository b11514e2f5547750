import { describe, expect, it } from '@jest/globals';
import {
  aSignedTransaction,
  aSubmission,
  foreign,
  took,
  written,
} from '../../src/testing/index.js';
import { HOUR_MS, LANE, Table, rejectedWith } from './table.js';

const REVERTED = { execution: 'REVERTED', revertReason: 'no' } as const;
const UNPROTECTED = { replayProtected: false } as const;

describe('transition table: attempts', () => {
  const table = Table.forEachTest();

  it('A1: a request with an unknown key is accepted as attempt 1 without a nonce, at the time of the store’s clock', async () => {
    expect(await table.driver.request('a')).toMatchObject({
      applied: true,
      attempt: {
        attempt: 1,
        state: 'accepted',
        lane: null,
        nonce: null,
        acceptedAtMs: 5_000,
        deadlineMs: 5_000 + HOUR_MS,
      },
    });
    expect((await table.ledger.calldata('id-of-a'))?.equals(aSubmission('a').calldata)).toBe(true);
  });

  it.each(['refused', 'expired', 'reverted'] as const)(
    'A2: after an attempt that is %s, a new request creates the next attempt',
    async (end) => {
      const first = await table.driver.broadcast('a', 0n);
      if (end === 'reverted') await table.driver.settle(0n, took(first.transaction.hash, REVERTED));
      else {
        await table.driver.settle(0n, foreign);
        await table.driver.endWaiting(first.attempt, { to: end });
      }
      expect(await table.attempt(first.attempt)).toMatchObject({ state: end });
      expect(await table.driver.request('a', { id: 'second' })).toMatchObject({
        applied: true,
        attempt: { attempt: 2, state: 'accepted' },
      });
      expect(await table.attempt(first.attempt)).toMatchObject({ state: end, attempt: 1 });
    },
  );

  it('A2: an unprotected call gets its next attempt only after the block of the last attempt is final', async () => {
    const { transaction } = await table.driver.broadcast('a', 0n, UNPROTECTED);
    await table.driver.settle(0n, took(transaction.hash, REVERTED));
    const again = { id: 'second', ...UNPROTECTED };
    expect(await table.driver.request('a', again)).toMatchObject({
      ...rejectedWith('not_final'),
      attempt: { attempt: 1 },
    });
    await table.driver.finalize(0n);
    expect(await table.driver.request('a', again)).toMatchObject({
      applied: true,
      attempt: { attempt: 2 },
    });
  });

  it('A2: an unprotected call that was conclusively refused gets its next attempt at once, because it can not land', async () => {
    const a = await table.driver.broadcast('a', 0n, UNPROTECTED);
    await table.rejection(0n, a.transaction);
    await table.driver.succeed(await table.driver.broadcast('b', 0n));
    expect(await table.transactionsOf(a.attempt)).toEqual(['refused']);
    expect(await table.driver.request('a', { id: 'second', ...UNPROTECTED })).toMatchObject({
      applied: true,
      attempt: { attempt: 2 },
    });
  });

  it('A3: a request is rejected while the last attempt of its key is live or has succeeded', async () => {
    const accepted = await table.driver.accepted('waits');
    expect(await table.driver.request('waits', { id: 'again' })).toMatchObject({
      ...rejectedWith('already_live'),
      attempt: { id: accepted.id },
    });
    const sent = await table.driver.broadcast('sent', 0n);
    expect(await table.driver.request('sent', { id: 'again' })).toMatchObject(
      rejectedWith('already_live'),
    );
    await table.driver.succeed(sent);
    expect(await table.driver.request('sent', { id: 'again' })).toMatchObject({
      ...rejectedWith('already_succeeded'),
      attempt: { attempt: 1 },
    });
    expect(await table.ledger.attemptById('again')).toBeNull();
  });

  it('A: a ledger behind its chain accepts no new request, but still replies to earlier requests', async () => {
    const sent = await table.driver.broadcast('sent', 0n);
    await table.driver.succeed(sent);
    await table.driver.accepted('waits');
    await table.fallBehind();
    expect(await table.driver.request('new')).toMatchObject({
      ...rejectedWith('ledger_behind'),
      attempt: null,
    });
    expect(await table.driver.request('waits')).toMatchObject(rejectedWith('already_live'));
    expect(await table.driver.request('sent')).toMatchObject(rejectedWith('already_succeeded'));
  });

  it('A4: a newer call with the same effect replaces the call of an unsigned attempt', async () => {
    const waiting = await table.driver.accepted('a', { effect: 'effect', fingerprint: 'older' });
    table.nowMs = 9_000;
    const newer = { ...waiting, effect: 'effect', fingerprint: 'newer' };
    expect(
      await table.driver.renew(waiting, 'newer', { effect: 'effect', fingerprint: 'newer' }),
    ).toMatchObject({ applied: true, attempt: newer });
    expect(await table.attempt(waiting)).toEqual(newer);
    expect((await table.ledger.calldata(waiting.id))?.equals(aSubmission('newer').calldata)).toBe(
      true,
    );
    expect(await table.driver.store(waiting, 0n, aSignedTransaction('newer'))).toMatchObject({
      applied: true,
    });
  });

  it('A4: signed bytes of the replaced call are rejected', async () => {
    const waiting = await table.driver.accepted('a', { effect: 'effect', fingerprint: 'older' });
    const { effect, fingerprint } = waiting;
    await table.driver.renew(waiting, 'newer', { effect: 'effect', fingerprint: 'newer' });
    expect(
      await table.driver.store(waiting, 0n, aSignedTransaction('older'), { fingerprint }),
    ).toMatchObject(rejectedWith('attempt_moved_on'));
    expect(await table.ledger.openNonces(LANE)).toEqual([]);
    await table.driver.store(waiting, 0n, aSignedTransaction('newer'));
    expect(await table.driver.renew(waiting, 'older', { effect, fingerprint })).toMatchObject(
      rejectedWith('attempt_moved_on'),
    );
    expect((await table.ledger.calldata(waiting.id))?.equals(aSubmission('newer').calldata)).toBe(
      true,
    );
  });

  it('A4: a newer call replaces the last block of an attempt, but never by an earlier one', async () => {
    const waiting = await table.driver.accepted('a', {
      effect: 'effect',
      fingerprint: 'first',
      deadlineBlock: 100,
    });
    const renewTo = (fingerprint: string, deadlineBlock: number | null) =>
      table.driver.renew(waiting, 'newer', { effect: 'effect', fingerprint, deadlineBlock });
    expect(await renewTo('earlier', 99)).toMatchObject(rejectedWith('known_already'));
    expect(await table.attempt(waiting)).toEqual(waiting);
    expect(await renewTo('same block', 100)).toMatchObject({ applied: true });
    expect(await renewTo('later', 130)).toMatchObject({
      applied: true,
      attempt: { ...waiting, fingerprint: 'later', deadlineBlock: 130 },
    });
    expect(await renewTo('any block', null)).toMatchObject({ applied: true });
    expect(await renewTo('later', 130)).toMatchObject(rejectedWith('known_already'));
  });

  it('A4: the replacement of a call is rejected for a signed attempt, a different effect or an unknown key', async () => {
    const { attempt, transaction } = await table.driver.broadcast('came back', 0n);
    expect(await table.driver.renew(attempt, 'came back')).toMatchObject(
      rejectedWith('attempt_moved_on'),
    );
    await table.driver.refuse(0n, transaction.hash, { cause: 'price' });
    expect(await table.attempt(attempt)).toMatchObject({ state: 'accepted' });
    expect(await table.driver.renew(attempt, 'came back')).toMatchObject(
      rejectedWith('attempt_moved_on'),
    );

    const first = await table.driver.accepted('a');
    await table.driver.endWaiting(first);
    expect(await table.driver.renew(first, 'a')).toMatchObject(rejectedWith('attempt_moved_on'));
    const second = await table.driver.accepted('a', { id: 'second' });
    expect(await table.driver.renew(first, 'a')).toMatchObject(rejectedWith('attempt_moved_on'));
    expect(await table.driver.renew(second, 'b')).toMatchObject(rejectedWith('other_request'));
    expect(await table.driver.renew({ key: 'unknown', attempt: 1 }, 'a')).toEqual({
      ...rejectedWith('unknown_row'),
      attempt: null,
    });
    await table.fallBehind();
    expect(await table.driver.renew(second, 'a')).toMatchObject(rejectedWith('ledger_behind'));
    expect(await table.attempt(second)).toEqual(second);
  });

  it('X: an attempt with a nonce can not be ended by a command', async () => {
    const waiting = await table.driver.accepted('waits');
    table.nowMs = 9_000;
    expect(await table.driver.endWaiting(waiting)).toMatchObject({
      applied: true,
      attempt: { state: 'expired', rejectionCode: 'NOT_SENT_IN_TIME', endedAtMs: 9_000 },
    });
    expect(await table.driver.endWaiting(waiting)).toMatchObject(rejectedWith('attempt_moved_on'));
    const { attempt } = await table.driver.broadcast('sent', 0n);
    expect(await table.driver.endWaiting(attempt)).toMatchObject(rejectedWith('attempt_moved_on'));
    expect(await table.driver.endWaiting({ key: 'unknown', attempt: 1 })).toEqual({
      ...rejectedWith('unknown_row'),
      attempt: null,
    });
  });

  it('X: an operator can cancel an attempt only while it has no stored nonce', async () => {
    const cancel = { to: 'refused', code: 'CANCELLED', onlyUnsigned: true } as const;
    const waiting = await table.driver.accepted('waits');
    expect(await table.driver.endWaiting(waiting, cancel)).toMatchObject({
      applied: true,
      attempt: { state: 'refused', rejectionCode: 'CANCELLED', lane: null, nonce: null },
    });
    // The lane has signed the old call at the same time. The bytes of this transaction are never
    // stored, and therefore never sent.
    expect(await table.driver.store(waiting, 0n, aSignedTransaction('waits'))).toMatchObject(
      rejectedWith('attempt_moved_on'),
    );
    expect(await table.ledger.openNonces(LANE)).toEqual([]);

    const { attempt, transaction } = await table.driver.broadcast('sent', 0n);
    expect(await table.driver.endWaiting(attempt, cancel)).toMatchObject(
      rejectedWith('attempt_moved_on'),
    );
    await table.driver.refuse(0n, transaction.hash, { cause: 'price' });
    expect(await table.attempt(attempt)).toMatchObject({ state: 'accepted', readmit: true });
    expect(await table.driver.endWaiting(attempt, cancel)).toMatchObject(
      rejectedWith('attempt_moved_on'),
    );
    expect(await table.driver.endWaiting(attempt)).toMatchObject({ applied: true });
  });

  it('X: a command that was decided for the previous call does not end an attempt', async () => {
    const waiting = await table.driver.accepted('a', { effect: 'effect', fingerprint: 'older' });
    const end = { code: 'DEADLINE_BLOCK_PASSED', fingerprint: 'older' };
    await table.driver.renew(waiting, 'newer', { effect: 'effect', fingerprint: 'newer' });
    expect(await table.driver.endWaiting(waiting, end)).toMatchObject(
      rejectedWith('attempt_moved_on'),
    );
    expect(await table.attempt(waiting)).toMatchObject({ state: 'accepted' });
    expect(await table.driver.endWaiting(waiting, { ...end, fingerprint: 'newer' })).toMatchObject({
      applied: true,
      attempt: { state: 'expired', rejectionCode: 'DEADLINE_BLOCK_PASSED' },
    });
  });

  it('X: a command to end an earlier attempt of a key does not end the waiting attempt of this key', async () => {
    const first = await table.driver.accepted('a');
    await table.driver.endWaiting(first);
    const second = written(await table.driver.request('a', { id: 'second' }));
    expect(await table.driver.endWaiting(first)).toMatchObject(rejectedWith('attempt_moved_on'));
    expect(await table.attempt(second)).toMatchObject({ state: 'accepted' });
  });

  it('X: an attempt expires only by the store’s clock, not by the writer’s clock', async () => {
    const waiting = await table.driver.accepted('a');
    const end = { to: 'expired', notBeforeMs: 20_000 } as const;
    table.nowMs = 19_999;
    expect(await table.driver.endWaiting(waiting, end)).toMatchObject(rejectedWith('too_early'));
    table.nowMs = 20_000;
    expect(await table.driver.endWaiting(waiting, end)).toMatchObject({
      applied: true,
      attempt: { state: 'expired' },
    });
  });

  it('X: a waiting attempt can be refused before its expiry time', async () => {
    const waiting = await table.driver.accepted('a');
    const end = { to: 'refused', code: 'NULLIFIER_SPENT', notBeforeMs: 20_000 } as const;
    expect(await table.driver.endWaiting(waiting, end)).toMatchObject({
      applied: true,
      attempt: { state: 'refused' },
    });
  });

  it('X: an unprotected attempt that lost its nonce can end only after the block of this loss is final', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n, UNPROTECTED);
    await table.driver.settle(0n, foreign);
    expect(await table.driver.endWaiting(attempt, { to: 'refused' })).toMatchObject(
      rejectedWith('not_final'),
    );
    expect(await table.driver.endWaiting(attempt)).toMatchObject(rejectedWith('not_final'));
    await table.driver.finalize(0n);
    expect(await table.driver.endWaiting(attempt)).toMatchObject({
      applied: true,
      attempt: { state: 'expired' },
    });
  });

  it('X: no attempt ends while the ledger is behind its chain', async () => {
    const waiting = await table.driver.accepted('a');
    await table.fallBehind();
    expect(await table.driver.endWaiting(waiting)).toMatchObject(rejectedWith('ledger_behind'));
    expect(await table.driver.endWaiting(waiting, { to: 'refused' })).toMatchObject(
      rejectedWith('ledger_behind'),
    );
  });
});
