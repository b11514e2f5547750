import { describe, expect, it } from '@jest/globals';
import { aSignedTransaction, foreign, took } from '../../src/testing/index.js';
import { Table, stoodBack } from './table.js';

describe('transition table: attempts', () => {
  const table = Table.forEachTest();

  it('A1: a request under an unknown key is attempt 1, accepted, without a nonce', async () => {
    expect(await table.driver.request('a')).toMatchObject({ written: true, attempt: { attempt: 1, state: 'accepted', nonce: null } });
  });

  it.each(['refused', 'expired', 'reverted'] as const)('A2: after %s a new request is the next attempt', async (end) => {
    const first = await table.driver.broadcast('a', 0n);
    if (end === 'reverted') await table.driver.settle(0n, took(first.transaction.hash, { execution: 'REVERTED' }));
    else await table.driver.settle(0n, foreign, { to: end, code: 'X' });
    expect(await table.attempt(first.attempt)).toMatchObject({ state: end });
    expect(await table.driver.request('a', { id: 'second' })).toMatchObject({ written: true, attempt: { attempt: 2, state: 'accepted' } });
  });

  it('A3: nothing is written while the last attempt is live or has succeeded', async () => {
    const accepted = await table.driver.accepted('waits');
    expect(await table.driver.request('waits', { id: 'again' })).toMatchObject({
      ...stoodBack('already_live'),
      attempt: { id: accepted.id },
    });
    const sent = await table.driver.broadcast('sent', 0n);
    expect(await table.driver.request('sent', { id: 'again' })).toMatchObject(stoodBack('already_live'));
    await table.driver.succeed(sent);
    expect(await table.driver.request('sent', { id: 'again' })).toMatchObject({
      ...stoodBack('already_succeeded'),
      attempt: { attempt: 1 },
    });
  });

  it('P: an accepted attempt gets the next nonce, with its bytes stored and no send claimed', async () => {
    const { attempt, transaction } = await table.driver.prepared('a', 0n);
    expect(attempt).toMatchObject({ state: 'prepared', nonce: 0n });
    expect(await table.nonce(0n)).toEqual({ owner: attempt.key, transactions: ['call 0 c=0'] });
    expect(await table.ledger.signedBytes(transaction.hash)).toEqual(transaction.bytes);
  });

  it('P stands back when the attempt is no longer accepted, the nonce not free or not the next, or the fence old', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    const other = await table.driver.accepted('b');
    const bytes = aSignedTransaction('other');
    expect(await table.driver.prepare(attempt, 1n, bytes)).toMatchObject(stoodBack('attempt_moved_on'));
    expect(await table.driver.prepare(other, 0n, bytes)).toMatchObject(stoodBack('nonce_taken'));
    expect(await table.driver.prepare(other, 2n, bytes)).toMatchObject(stoodBack('nonce_taken'));
    await table.driver.settle(0n, foreign);
    expect(await table.driver.prepare(other, 0n, bytes)).toMatchObject(stoodBack('nonce_settled'));
    await table.loseLane();
    expect(await table.driver.prepare(other, 1n, bytes)).toMatchObject(stoodBack('stale_fence'));
  });

  it('P: the same bytes at the same nonce revive their row, dead as it was', async () => {
    const first = await table.driver.prepared('a', 0n);
    await table.release(0n);
    expect(await table.nonce(0n)).toEqual({ owner: null, transactions: ['dead'] });
    await table.driver.prepare(first.attempt, 0n, first.transaction, false);
    expect(await table.nonce(0n)).toEqual({ owner: first.attempt.key, transactions: ['call 0 c=0'] });
  });

  it("P': with the first send claimed in the same write the attempt is broadcast", async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    expect(attempt).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(await table.nonce(0n)).toEqual({ owner: attempt.key, transactions: ['call 0 c=1'] });
  });

  it.each(['accepted', 'expired'] as const)('L: what was never claimed gives its nonce back, and its attempt is %s', async (to) => {
    const { attempt } = await table.driver.prepared('a', 0n);
    await table.release(0n, to);
    expect(await table.attempt(attempt)).toMatchObject({ state: to, nonce: null });
    expect(await table.nonce(0n)).toEqual({ owner: null, transactions: ['dead'] });
  });

  it('L stands back once a send was claimed', async () => {
    const { transaction } = await table.driver.prepared('a', 0n);
    await table.driver.claim(0n, transaction.hash);
    expect(await table.release(0n)).toMatchObject(stoodBack('attempt_moved_on'));
    await table.driver.prepared('b', 1n);
    // A prepared attempt of which something was claimed can not be; the guard looks at the claims all the same.
    await table.loseLane();
    expect(await table.release(1n)).toMatchObject(stoodBack('stale_fence'));
  });

  it('X: an attempt without a nonce ends, and nobody else does', async () => {
    const waiting = await table.driver.accepted('waits');
    expect(await table.endWaiting(waiting)).toMatchObject({
      written: true,
      attempt: { state: 'expired', refusalCode: 'NOT_SENT_IN_TIME' },
    });
    expect(await table.endWaiting(waiting)).toMatchObject(stoodBack('attempt_moved_on'));
    const { attempt } = await table.driver.broadcast('sent', 0n);
    expect(await table.endWaiting(attempt)).toMatchObject(stoodBack('attempt_moved_on'));
  });
});
