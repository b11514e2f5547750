import { describe, expect, it } from '@jest/globals';
import { refOf } from '../../src/domain/rows.js';
import type { Felt } from '@sotto/kernel';
import type { BlockRef, SubmissionCommand } from '../../src/index.js';
import {
  aBlock,
  aSignedTransaction,
  confirming,
  contradicting,
  foreign,
  took,
  written,
} from '../../src/testing/index.js';
import { DEARER_FRI, LANE, SECOND_LANE, Table, rejectedWith } from './table.js';

type Of<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

const BLOCK = aBlock(100);
const headAt = (number: number) => ({ first: aBlock(number), last: aBlock(number + 5) });
/**
 * Returns block hashes by height. The hash at the height of the first argument contradicts that
 * block.
 */
const shown = ({ number }: BlockRef, head: BlockRef): ReadonlyMap<number, Felt> =>
  new Map([
    [number, aBlock(number, 'of a fork').hash],
    [head.number, head.hash],
  ]);
const REVERTED = { execution: 'REVERTED', revertReason: 'no' } as const;

describe('transition table: a settled nonce is opened again (U)', () => {
  const table = Table.forEachTest();

  it('U: when a nonce is reopened, its attempt is broadcast again, and the attempt’s outcome is stored as undone', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.replace(0n, a.attempt, aSignedTransaction('a', DEARER_FRI));
    await table.driver.settle(0n, took(a.transaction.hash, { ...REVERTED, feeFri: 7n }));
    table.nowMs = 30_000;
    expect(await table.driver.reopen(0n)).toMatchObject({
      applied: true,
      attempt: {
        state: 'broadcast',
        lane: LANE,
        nonce: 0n,
        transactionHash: null,
        revertReason: null,
        gasPaidFri: null,
        endedAtMs: null,
        undone: { transactionHash: a.transaction.hash, execution: 'REVERTED', undoneAtMs: 30_000 },
      },
      nonce: { state: 'open', owner: refOf(a.attempt), settlement: null, version: 4 },
    });
    expect(await table.nonce(0n)).toEqual({
      owner: a.attempt.key,
      version: 4,
      transactions: ['call 0 c=2', 'call 1 c=2'],
    });
    expect(await table.ledger.transactionsOf(a.attempt)).toMatchObject([
      { claimFence: table.driver.fence, claimedAtMs: 5_000 },
      {},
    ]);
  });

  it('U: a conclusively refused transaction remains refused when its nonce is reopened', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction);
    const b = await table.driver.broadcast('b', 0n);
    await table.driver.succeed(b);
    await table.driver.reopen(0n);
    expect(await table.nonce(0n)).toMatchObject({
      owner: b.attempt.key,
      transactions: ['refused', 'call 1 c=2'],
    });
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'refused' });
  });

  it('U: an attempt that lost its nonce to a foreign transaction owns this nonce again after the reopening', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    await table.driver.reopen(0n);
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'broadcast',
      nonce: 0n,
      undone: null,
    });
    expect(await table.nonce(0n)).toMatchObject({
      owner: attempt.key,
      transactions: ['call 0 c=2'],
    });
  });

  it('U: an ended attempt is live again if the nonce that it had lost is reopened', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    await table.driver.endWaiting(attempt);
    await table.driver.reopen(0n);
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'broadcast',
      nonce: 0n,
      rejectionCode: null,
      endedAtMs: null,
      undone: null,
    });
  });

  it('U: an attempt that has a new nonce does not change if its lost nonce is reopened', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    await table.driver.store(refOf(attempt), 1n, aSignedTransaction('a again'));
    expect(await table.driver.reopen(0n)).toMatchObject({
      applied: true,
      nonce: { state: 'open', owner: null },
    });
    expect(await table.nonce(0n)).toMatchObject({ owner: null, transactions: ['call 0 c=2'] });
    expect(await table.attempt(attempt)).toMatchObject({ state: 'broadcast', nonce: 1n });
    await table.driver.settle(0n, took(transaction.hash, { block: aBlock(101) }));
    expect(await table.attempt(attempt)).toMatchObject({ state: 'broadcast', nonce: 1n });
    await table.driver.settle(1n, foreign);
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'succeeded',
      nonce: 0n,
      transactionHash: transaction.hash,
    });
  });

  it('U: an attempt that was executed under a new nonce does not change if its lost nonce is reopened', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    const again = aSignedTransaction('a again');
    await table.driver.store(refOf(attempt), 1n, again);
    await table.driver.settle(1n, took(again.hash, { block: aBlock(101) }));
    await table.driver.reopen(0n);
    expect(await table.nonce(0n)).toMatchObject({ owner: null });
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'succeeded',
      nonce: 1n,
      transactionHash: again.hash,
    });
  });

  it('U: an attempt does not change if the same nonce of another lane is reopened', async () => {
    const second = await table.secondLane();
    await second.introduce(0n);
    const { attempt } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    const again = aSignedTransaction('a again');
    await second.store(refOf(attempt), 0n, again);
    await second.settle(0n, took(again.hash, { block: aBlock(101) }));
    await table.driver.reopen(0n);
    expect(await table.nonce(0n)).toMatchObject({ owner: null });
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'succeeded',
      lane: SECOND_LANE,
      nonce: 0n,
    });
  });

  it('U: the outcome under a reopened nonce is written to the earlier attempt, and the newer attempt remains live', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, took(transaction.hash, REVERTED));
    const next = written(await table.driver.request('a', { id: 'second' }));
    await table.driver.reopen(0n);
    expect(await table.nonce(0n)).toMatchObject({ owner: null, transactions: ['call 0 c=2'] });
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'expired',
      rejectionCode: 'UNDONE_BY_ROLLBACK',
      lane: null,
      nonce: null,
      transactionHash: null,
      revertReason: null,
      undone: { transactionHash: transaction.hash, execution: 'REVERTED' },
    });
    expect(await table.attempt(next)).toMatchObject({ state: 'accepted' });
    await table.driver.settle(0n, took(transaction.hash, { block: aBlock(101) }));
    expect(await table.attempt(attempt)).toMatchObject({ state: 'succeeded', nonce: 0n });
    expect(await table.attempt(next)).toMatchObject({ state: 'accepted' });
  });

  it('U: an attempt that reverted under two nonces gets the outcome of the remaining nonce if one of them is reopened', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    const again = aSignedTransaction('a again');
    await table.driver.store(refOf(attempt), 1n, again);
    await table.driver.reopen(0n);
    await table.driver.settle(1n, took(again.hash, { ...REVERTED, feeFri: 7n }));
    await table.driver.settle(0n, took(transaction.hash, REVERTED));
    expect(await table.attempt(attempt)).toMatchObject({ state: 'reverted', nonce: 0n });
    await table.driver.request('a', { id: 'second' });
    await table.driver.reopen(0n);
    expect(await table.nonce(0n)).toMatchObject({ owner: null });
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'reverted',
      rejectionCode: null,
      lane: LANE,
      nonce: 1n,
      transactionHash: again.hash,
      gasPaidFri: 7n,
      undone: { transactionHash: transaction.hash, execution: 'REVERTED' },
    });
  });

  it('U: a key has succeeded if an earlier attempt succeeds later, even if its last attempt is refused', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, took(transaction.hash, REVERTED));
    const next = written(await table.driver.request('a', { id: 'second' }));
    await table.driver.reopen(0n);
    await table.driver.settle(0n, took(transaction.hash, { block: aBlock(101) }));
    expect(await table.ledger.lastAttempt(attempt.key)).toMatchObject({
      attempt: 2,
      state: 'accepted',
    });
    await table.driver.endWaiting(next, { to: 'refused', code: 'NULLIFIER_SPENT' });
    expect(await table.ledger.lastAttempt(attempt.key)).toMatchObject({
      attempt: 1,
      state: 'succeeded',
    });
    expect(await table.driver.request('a', { id: 'third' })).toMatchObject({
      ...rejectedWith('already_succeeded'),
      attempt: { attempt: 1 },
    });
  });

  it('U: the undone outcome of an attempt is stored until a later rollback replaces it', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, took(transaction.hash));
    await table.driver.reopen(0n);
    await table.driver.settle(0n, took(transaction.hash, { ...REVERTED, block: aBlock(101) }));
    const undone = { transactionHash: transaction.hash, execution: 'SUCCEEDED' };
    expect(await table.attempt(attempt)).toMatchObject({ state: 'reverted', undone });
    await table.driver.reopen(0n);
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'broadcast',
      undone: { ...undone, execution: 'REVERTED' },
    });
    // The lost nonce had no outcome that could be undone. So the outcome that was undone earlier
    // remains stored.
    await table.driver.settle(0n, foreign);
    await table.driver.reopen(0n);
    expect(await table.attempt(attempt)).toMatchObject({
      state: 'broadcast',
      undone: { execution: 'REVERTED' },
    });
  });

  it('U: a no-op that had consumed a nonce without an owner can land again after the nonce is reopened', async () => {
    await table.withGap();
    const noop = aSignedTransaction('no-op', DEARER_FRI);
    await table.noop(0n, noop);
    await table.driver.settle(0n, took(noop.hash));
    expect(await table.driver.reopen(0n)).toMatchObject({ applied: true, nonce: { owner: null } });
    expect(await table.nonce(0n)).toMatchObject({
      owner: null,
      transactions: ['refused', 'noop 1 c=2'],
    });
  });

  it('U: a refused call that landed is broadcast again after a rollback', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction);
    await table.driver.settle(0n, took(a.transaction.hash));
    await table.driver.reopen(0n);
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(await table.nonce(0n)).toMatchObject({
      owner: a.attempt.key,
      transactions: ['call 0 c=2'],
    });
  });

  it.each([
    ['another height', aBlock(99)],
    ['another block of the same height', aBlock(100, 'of a fork')],
  ])(
    'U: reopening is rejected for %s, because this block did not settle the nonce',
    async (_what, block) => {
      const a = await table.driver.broadcast('a', 0n);
      await table.driver.succeed(a);
      expect(await table.driver.reopen(0n, { block })).toMatchObject(
        rejectedWith('not_settled_so'),
      );
      expect(await table.attempt(a.attempt)).toMatchObject({ state: 'succeeded' });
    },
  );

  it('U: a block is undone if its ancestor is undone, even if the chain is now shorter than the block’s height', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.succeed(a);
    const undone = aBlock(97);
    const evidence = contradicting(undone);
    expect(evidence.blocks.has(100)).toBe(false);
    expect(await table.driver.reopen(0n, { undone, evidence })).toMatchObject({ applied: true });
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'broadcast', nonce: 0n });
  });

  it.each<[string, Partial<Of<'reopen'>>]>([
    ['has the block', { evidence: confirming(BLOCK) }],
    ['shows another height', { evidence: contradicting(aBlock(99)) }],
    ['has lost its first head', { evidence: { ...contradicting(BLOCK), first: aBlock(120) } }],
    ['ends below its first head', { evidence: { ...contradicting(BLOCK), last: aBlock(90) } }],
    ['contradicts another block of its height', { undone: aBlock(100, 'of a fork') }],
    ['contradicts a block above it', { undone: aBlock(101), evidence: contradicting(aBlock(101)) }],
    [
      'shows the height above its first head only',
      { evidence: { ...contradicting(BLOCK), ...headAt(99), blocks: shown(BLOCK, aBlock(99)) } },
    ],
  ])('U: reopening is rejected if the evidence %s', async (_what, changes) => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.succeed(a);
    expect(await table.driver.reopen(0n, changes)).toMatchObject(rejectedWith('proves_nothing'));
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'succeeded' });
  });

  const EARLIER = contradicting(BLOCK, 'an earlier head');

  it.each<[string, Partial<Of<'reopen'>>]>([
    ['one poll', { earlier: null }],
    ['two polls of one head', { earlier: contradicting(BLOCK) }],
    ['a poll after one that has the block', { earlier: confirming(BLOCK) }],
    ['a poll after one whose first head was gone', { earlier: { ...EARLIER, first: aBlock(120) } }],
    ['a poll that has the block again', { earlier: EARLIER, evidence: confirming(BLOCK) }],
  ])('U: a final nonce is not reopened with the evidence of %s', async (_what, changes) => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.succeed(a);
    await table.driver.finalize(0n);
    expect(await table.driver.reopen(0n, changes)).toMatchObject(rejectedWith('proves_nothing'));
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'succeeded', isFinal: true });
  });

  it('U: if two heads contradict a final nonce, its attempt ends, and its key can be requested again', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.succeed(a);
    await table.driver.finalize(0n);
    table.nowMs = 30_000;
    expect(await table.driver.reopen(0n, { earlier: EARLIER })).toMatchObject({
      applied: true,
      nonce: { state: 'open', owner: null, settlement: null, version: 3 },
    });
    expect(await table.attempt(a.attempt)).toMatchObject({
      state: 'expired',
      rejectionCode: 'UNDONE_BY_ROLLBACK',
      lane: null,
      nonce: null,
      transactionHash: null,
      isFinal: false,
      endedAtMs: 30_000,
      undone: { transactionHash: a.transaction.hash, execution: 'SUCCEEDED', undoneAtMs: 30_000 },
    });
    expect(await table.nonce(0n)).toMatchObject({ owner: null, transactions: ['call 0 c=2'] });
    expect(await table.driver.request('a', { id: 'second' })).toMatchObject({
      applied: true,
      attempt: { attempt: 2, state: 'accepted' },
    });
  });

  it('U: an unprotected call whose final nonce was reopened can be requested again only after a no-op under this nonce is final', async () => {
    const a = await table.driver.broadcast('a', 0n, { replayProtected: false });
    await table.driver.succeed(a);
    await table.driver.finalize(0n);
    await table.driver.reopen(0n, { earlier: EARLIER });
    const again = { id: 'second', replayProtected: false };
    expect(await table.driver.request('a', again)).toMatchObject(rejectedWith('not_final'));
    const noop = aSignedTransaction('no-op', DEARER_FRI);
    await table.noop(0n, noop);
    await table.driver.settle(0n, took(noop.hash, { block: aBlock(101) }));
    expect(await table.driver.request('a', again)).toMatchObject(rejectedWith('not_final'));
    await table.driver.finalize(0n);
    expect(await table.driver.request('a', again)).toMatchObject({ applied: true });
  });

  it('U: an attempt that ended by the reopening of its final nonce is not sent again, even if its call lands and is undone', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.succeed(a);
    await table.driver.finalize(0n);
    await table.driver.reopen(0n, { earlier: EARLIER });
    await table.driver.settle(0n, took(a.transaction.hash, { block: aBlock(99) }));
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'succeeded', nonce: 0n });
    const undone = aBlock(99);
    const evidence = contradicting(undone);
    expect(await table.driver.reopen(0n, { block: undone, undone, evidence })).toMatchObject({
      applied: true,
      nonce: { state: 'open', owner: null },
    });
    expect(await table.attempt(a.attempt)).toMatchObject({
      state: 'expired',
      rejectionCode: 'UNDONE_BY_ROLLBACK',
      lane: null,
      nonce: null,
    });
  });

  it('U: an attempt that ended by the reopening of its final nonce is not sent again, even if the no-op is undone', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.succeed(a);
    await table.driver.finalize(0n);
    await table.driver.reopen(0n, { earlier: EARLIER });
    const noop = aSignedTransaction('no-op', DEARER_FRI);
    await table.noop(0n, noop);
    await table.driver.settle(0n, took(noop.hash, { block: aBlock(99) }));
    const undone = aBlock(99);
    const evidence = contradicting(undone);
    expect(await table.driver.reopen(0n, { block: undone, undone, evidence })).toMatchObject({
      applied: true,
      nonce: { state: 'open', owner: null },
    });
    expect(await table.attempt(a.attempt)).toMatchObject({
      state: 'expired',
      rejectionCode: 'UNDONE_BY_ROLLBACK',
    });
  });

  it('U: a call whose final nonce was reopened gets its outcome again if the call lands later', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.succeed(a);
    await table.driver.finalize(0n);
    await table.driver.reopen(0n, { earlier: EARLIER });
    await table.driver.settle(0n, took(a.transaction.hash, { block: aBlock(101) }));
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'succeeded', isFinal: false });
  });

  it('U: reopening is rejected for an open nonce, a nonce without a row, an imported range, and with an old fence', async () => {
    const a = await table.driver.broadcast('a', 0n);
    expect(await table.driver.reopen(0n)).toMatchObject(rejectedWith('not_settled_so'));
    expect(await table.driver.reopen(1n)).toMatchObject(rejectedWith('unknown_row'));
    await table.driver.import(1n, 9n);
    expect(await table.driver.reopen(1n)).toMatchObject(rejectedWith('not_settled_so'));
    await table.driver.succeed(a);
    await table.loseLane();
    expect(await table.driver.reopen(0n)).toMatchObject(rejectedWith('stale_fence'));
  });
});
