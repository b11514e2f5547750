import { describe, expect, it } from '@jest/globals';
import { aSignedTransaction, foreign, took } from '../../src/testing/index.js';
import { Table, stoodBack } from './table.js';

const DEARER = 40_000_000_000n;

describe('transition table: ends', () => {
  const table = Table.forEachTest();

  it.each([
    ['SUCCEEDED', 'succeeded'],
    ['REVERTED', 'reverted'],
  ] as const)('S1: a receipt of the owner’s says %s: the nonce is settled, the attempt %s, all else dead', async (execution, state) => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    const dearer = aSignedTransaction('a', DEARER);
    await table.replace(0n, dearer);
    await table.driver.settle(0n, took(transaction.hash, { execution, feeFri: 7n }));
    expect(await table.attempt(attempt)).toMatchObject({ state, transactionHash: transaction.hash, gasPaidFri: 7n });
    expect(await table.nonce(0n)).toBeNull();
    expect(await table.ledger.transactionsOf(attempt)).toMatchObject([{ dead: false }, { dead: true }]);
  });

  it('S1: the old price may win after the new one was sent, and even after it was called dead', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    const dearer = aSignedTransaction('a', DEARER);
    await table.replace(0n, dearer);
    await table.driver.claim(0n, dearer.hash);
    await table.refusal(0n, transaction);
    await table.driver.settle(0n, took(transaction.hash));
    expect(await table.attempt(attempt)).toMatchObject({ state: 'succeeded', transactionHash: transaction.hash });
  });

  it('S: whose the hash is, is decided on the rows of the write', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.refusal(0n, a.transaction);
    const b = await table.driver.broadcast('b', 0n);
    await table.driver.settle(0n, took(b.transaction.hash));
    expect(await table.attempt(b.attempt)).toMatchObject({ state: 'succeeded', transactionHash: b.transaction.hash });
  });

  it.each(['accepted', 'refused', 'expired'] as const)('S2: a no-op or a stranger took the nonce: the attempt is %s', async (to) => {
    const loser = to === 'accepted' ? ({ to } as const) : ({ to, code: 'X' } as const);
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign, loser);
    expect(await table.attempt(a.attempt)).toMatchObject({ state: to, nonce: null, readmit: to === 'accepted', gasPaidFri: null });
    const b = await table.driver.broadcast('b', 1n);
    const noop = aSignedTransaction('no-op', DEARER);
    await table.cancel(1n, noop);
    await table.driver.settle(1n, took(noop.hash, { feeFri: 9n }), loser);
    // What the no-op cost is the lane's.
    expect(await table.attempt(b.attempt)).toMatchObject({ state: to, nonce: null, gasPaidFri: null });
    expect((await table.ledger.transactionsOf(b.attempt)).every(({ dead }) => dead)).toBe(true);
  });

  it('S: settled is for good, and for the fence that holds the lane only', async () => {
    const a = await table.driver.broadcast('a', 0n);
    const b = await table.driver.broadcast('b', 1n);
    await table.driver.succeed(a);
    expect(await table.driver.settle(0n, foreign)).toMatchObject(stoodBack('nonce_settled'));
    await table.loseLane();
    expect(await table.driver.succeed(b)).toMatchObject(stoodBack('stale_fence'));
  });
});
