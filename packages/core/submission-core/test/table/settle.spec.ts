import { describe, expect, it } from '@jest/globals';
import { refOf } from '../../src/domain/rows.js';
import type { ChainEvidence } from '../../src/index.js';
import {
  aBlock,
  aSignedTransaction,
  confirming,
  contradicting,
  foreign,
  took,
  written,
} from '../../src/testing/index.js';
import { DEARER_FRI, HOUR_MS, LANE, SECOND_LANE, Table, rejectedWith } from './table.js';

const BLOCK = aBlock(100);
/** Evidence that contains the height of the block but does not prove the block, with the reason. */
const PROVING_NOTHING: readonly (readonly [string, ChainEvidence])[] = [
  ['has another block at this height', contradicting(BLOCK)],
  ['does not show this height', confirming(aBlock(99))],
  ['does not show its first head', { ...confirming(BLOCK), blocks: new Map([[100, BLOCK.hash]]) }],
  ['has lost its first head', { ...confirming(BLOCK), first: aBlock(110, 'of a fork') }],
  ['ends below its first head', { ...confirming(BLOCK), last: aBlock(109) }],
  ['contradicts itself', { ...confirming(BLOCK), last: aBlock(110, 'of a fork') }],
  [
    'has its first head below this height',
    {
      ...confirming(BLOCK),
      first: aBlock(99),
      blocks: new Map([
        [99, aBlock(99).hash],
        [100, BLOCK.hash],
      ]),
    },
  ],
];
const REVERTED = { execution: 'REVERTED', revertReason: 'no' } as const;

describe('transition table: a nonce is settled (S)', () => {
  const table = Table.forEachTest();

  it.each([
    ['SUCCEEDED', 'succeeded', null],
    ['REVERTED', 'reverted', 'Note: spent'],
  ] as const)(
    'S: a receipt with %s ends the nonce’s attempt as %s',
    async (execution, state, revertReason) => {
      const { attempt, transaction } = await table.driver.broadcast('a', 0n);
      await table.replace(0n, attempt, aSignedTransaction('a', DEARER_FRI));
      table.nowMs = 7_000;
      const consumer = took(transaction.hash, { execution, revertReason, feeFri: 7n });
      expect(await table.driver.settle(0n, consumer)).toMatchObject({
        applied: true,
        attempt: {
          id: attempt.id,
          state,
          lane: LANE,
          nonce: 0n,
          transactionHash: transaction.hash,
          revertReason,
          gasPaidFri: 7n,
          endedAtMs: 7_000,
          isFinal: false,
        },
        nonce: {
          version: 3,
          state: 'settled',
          owner: refOf(attempt),
          settlement: {
            hash: transaction.hash,
            isForeign: false,
            execution,
            block: aBlock(100),
            feeFri: 7n,
            disprovesRejection: false,
            atMs: 7_000,
            isFinal: false,
          },
        },
      });
      expect(await table.nonce(0n)).toBeNull();
      expect(await table.transactionsOf(attempt)).toEqual(['call 0 c=1', 'lost']);
    },
  );

  it('S: the stored PRE_CONFIRMED result of a lost transaction is deleted', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    const dearer = aSignedTransaction('a', DEARER_FRI);
    await table.replace(0n, attempt, dearer);
    await table.driver.observe(0n, dearer.hash, { execution: 'REVERTED', revertReason: null });
    await table.driver.settle(0n, took(transaction.hash));
    expect(await table.ledger.transactionsOf(refOf(attempt))).toMatchObject([
      { gone: null },
      { gone: 'lost', seen: null },
    ]);
  });

  it('S: the rows at the time of the write determine the attempt of the transaction (M1)', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction);
    const b = await table.driver.broadcast('b', 0n);
    await table.driver.settle(0n, took(b.transaction.hash));
    expect(await table.attempt(b.attempt)).toMatchObject({
      state: 'succeeded',
      transactionHash: b.transaction.hash,
    });
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'refused' });
    expect(await table.transactionsOf(a.attempt)).toEqual(['refused']);
  });

  it('S: a settlement is rejected if the nonce’s row has changed since the poll', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.replace(0n, a.attempt, aSignedTransaction('a', DEARER_FRI));
    expect(await table.driver.settle(0n, took(a.transaction.hash), { version: 1 })).toMatchObject(
      rejectedWith('stale_version'),
    );
    expect(await table.driver.settle(0n, foreign, { version: 1 })).toMatchObject(
      rejectedWith('stale_version'),
    );
    expect(await table.nonce(0n)).toMatchObject({ owner: a.attempt.key, version: 2 });
  });

  it('S: an attempt that loses its nonce to a foreign transaction waits for another nonce', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    expect(await table.driver.settle(0n, foreign)).toMatchObject({
      applied: true,
      attempt: {
        id: attempt.id,
        state: 'accepted',
        lane: null,
        nonce: null,
        readmit: true,
        gasPaidFri: null,
        endedAtMs: null,
        transactionHash: null,
      },
      nonce: {
        owner: null,
        settlement: {
          hash: foreign.hash,
          isForeign: true,
          feeFri: null,
          disprovesRejection: false,
        },
      },
    });
    expect(await table.transactionsOf(attempt)).toEqual(['lost']);
  });

  it('S: an attempt waits again if a no-op of this ledger consumes its nonce', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    const noop = aSignedTransaction('no-op', DEARER_FRI);
    await table.noop(0n, noop);
    expect(await table.driver.settle(0n, took(noop.hash, { feeFri: 9n }))).toMatchObject({
      attempt: { id: attempt.id, state: 'accepted', nonce: null, readmit: true, gasPaidFri: null },
      nonce: { owner: null, settlement: { hash: noop.hash, isForeign: false, feeFri: 9n } },
    });
    expect(await table.transactionsOf(attempt)).toEqual(['lost']);
  });

  it.each(PROVING_NOTHING)(
    'S: a settlement is rejected if the evidence %s',
    async (_what, evidence) => {
      const a = await table.driver.broadcast('a', 0n);
      const consumer = took(a.transaction.hash);
      expect(await table.driver.settle(0n, consumer, { evidence })).toMatchObject(
        rejectedWith('proves_nothing'),
      );
      expect(await table.attempt(a.attempt)).toMatchObject({ state: 'broadcast', nonce: 0n });
    },
  );

  it('S: a nonce without an owner is settled without an attempt', async () => {
    await table.driver.introduce(0n);
    await table.driver.import(0n);
    expect(await table.driver.settle(0n, foreign)).toMatchObject({
      applied: true,
      attempt: null,
      nonce: { settlement: { isForeign: true } },
    });
  });

  it('S: a nonce can be settled only once', async () => {
    const a = await table.driver.broadcast('a', 0n);
    const b = await table.driver.broadcast('b', 1n);
    await table.driver.succeed(a);
    expect(await table.driver.settle(0n, foreign)).toMatchObject(rejectedWith('nonce_settled'));
    expect(await table.driver.settle(2n, foreign)).toMatchObject(rejectedWith('unknown_row'));
    await table.loseLane();
    expect(await table.driver.succeed(b)).toMatchObject(rejectedWith('stale_fence'));
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'succeeded' });
  });

  it('S′: a refused transaction that landed ends its own attempt, and disproves the refusal', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction);
    const b = await table.driver.broadcast('b', 0n);
    expect((await table.ledger.state()).disprovedRefusals).toBe(0);
    expect(await table.driver.settle(0n, took(a.transaction.hash))).toMatchObject({
      nonce: {
        owner: null,
        settlement: { isForeign: false, disprovesRejection: true, feeFri: 2n ** 70n },
      },
    });
    expect(await table.attempt(a.attempt)).toMatchObject({
      state: 'succeeded',
      lane: LANE,
      nonce: 0n,
      rejectionCode: null,
      transactionHash: a.transaction.hash,
    });
    expect(await table.attempt(b.attempt)).toMatchObject({ state: 'accepted', readmit: true });
    expect(await table.transactionsOf(a.attempt)).toEqual(['call 0 c=1']);
    expect(await table.transactionsOf(b.attempt)).toEqual(['lost']);
    expect((await table.ledger.state()).disprovedRefusals).toBe(1);
  });

  it('S′: the outcome of a refused transaction is written only when its attempt’s current nonce is settled', async () => {
    const { attempt, second } = await movedOn();
    await table.driver.settle(0n, took(attempt.hash));
    expect(await table.ledger.attempt(second.ref)).toMatchObject({ state: 'broadcast', nonce: 1n });
    // The attempt has succeeded at nonce 0, so its second transaction reverts or is cancelled.
    await table.driver.settle(1n, took(second.hash, REVERTED));
    expect(await table.ledger.attempt(second.ref)).toMatchObject({
      state: 'succeeded',
      nonce: 0n,
      transactionHash: attempt.hash,
      revertReason: null,
      gasPaidFri: 2n ** 70n,
    });
  });

  it('S′: an attempt that succeeded under another nonce ends as succeeded when it loses its current nonce', async () => {
    const { attempt, second } = await movedOn();
    await table.driver.settle(0n, took(attempt.hash));
    await table.driver.settle(1n, foreign);
    expect(await table.ledger.attempt(second.ref)).toMatchObject({
      state: 'succeeded',
      nonce: 0n,
      transactionHash: attempt.hash,
    });
  });

  it('S′: an attempt does not lose its nonce when the same nonce of another lane is settled', async () => {
    const second = await table.secondLane();
    await second.introduce(0n);
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction, { cause: 'price' });
    await table.driver.broadcast('b', 0n);
    await second.store(refOf(a.attempt), 0n, aSignedTransaction('a again', DEARER_FRI));
    await table.driver.settle(0n, took(a.transaction.hash));
    expect(await table.attempt(a.attempt)).toMatchObject({
      state: 'broadcast',
      lane: SECOND_LANE,
      nonce: 0n,
    });
  });

  it('S′: an attempt whose call reverted under another nonce waits again when it loses its current nonce', async () => {
    const { attempt, second } = await movedOn();
    await table.driver.settle(0n, took(attempt.hash, REVERTED));
    await table.driver.settle(1n, foreign);
    expect(await table.ledger.attempt(second.ref)).toMatchObject({
      state: 'accepted',
      nonce: null,
    });
  });

  /**
   * Returns an attempt that was refused because of its price under nonce 0 and now holds nonce 1.
   * Another attempt holds nonce 0.
   */
  async function movedOn() {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction, { cause: 'price' });
    await table.driver.broadcast('b', 0n);
    const transaction = aSignedTransaction('a again', DEARER_FRI);
    const moved = written(await table.driver.store(refOf(a.attempt), 1n, transaction));
    return {
      attempt: { hash: a.transaction.hash },
      second: { ref: refOf(moved), hash: transaction.hash },
    };
  }
});

describe('transition table: a settled nonce is final (F)', () => {
  const table = Table.forEachTest();
  const DAY_MS = 24 * HOUR_MS;

  it('F: the nonce and the attempt’s outcome are final once the block is at ACCEPTED_ON_L1', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, took(transaction.hash));
    const before = written(await table.driver.finalize(0n));
    expect(before).toMatchObject({ id: attempt.id, state: 'succeeded', isFinal: true });
    expect(await table.ledger.unfinalNonces(LANE, 'newest', 10)).toEqual([]);
    expect(await table.driver.finalize(0n, { block: aBlock(100) })).toMatchObject(
      rejectedWith('known_already'),
    );
  });

  it('F: without L1, a nonce becomes final by the age of its block, but its attempt’s outcome does not', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, took(transaction.hash));
    const byAge = { isOnL1: false, horizonMs: DAY_MS } as const;
    table.nowMs += DAY_MS - 1;
    expect(await table.driver.finalize(0n, byAge)).toMatchObject(rejectedWith('too_early'));
    table.nowMs += 1;
    expect(await table.driver.finalize(0n, byAge)).toMatchObject({
      applied: true,
      nonce: { version: 2, settlement: { isFinal: true } },
    });
    expect(await table.attempt(attempt)).toMatchObject({ state: 'succeeded', isFinal: false });
  });

  it.each([
    ['another height', aBlock(99)],
    ['another block of the same height', aBlock(100, 'of a fork')],
  ])(
    'F: finality is rejected for %s, because this block did not settle the nonce',
    async (_what, block) => {
      const { transaction } = await table.driver.broadcast('a', 0n);
      await table.driver.settle(0n, took(transaction.hash));
      expect(await table.driver.finalize(0n, { block })).toMatchObject(
        rejectedWith('not_settled_so'),
      );
    },
  );

  it.each(PROVING_NOTHING)(
    'F: a nonce does not become final if the evidence %s',
    async (_what, evidence) => {
      const a = await table.driver.broadcast('a', 0n);
      await table.driver.succeed(a);
      table.nowMs += DAY_MS;
      expect(
        await table.driver.finalize(0n, { evidence: { ...evidence, l1BlockNumber: 120 } }),
      ).toMatchObject(rejectedWith('proves_nothing'));
      expect(await table.attempt(a.attempt)).toMatchObject({ isFinal: false });
    },
  );

  it('F: a nonce does not become final while the L1 height is below the block of the nonce', async () => {
    await table.driver.succeed(await table.driver.broadcast('a', 0n));
    const evidence = confirming(BLOCK, 99);
    expect(await table.driver.finalize(0n, { evidence })).toMatchObject(rejectedWith('too_early'));
  });

  it('F: finality is rejected for an open nonce, a nonce without a row, and with an old fence', async () => {
    const a = await table.driver.broadcast('a', 0n);
    expect(await table.driver.finalize(0n)).toMatchObject(rejectedWith('not_settled_so'));
    expect(await table.driver.finalize(1n)).toMatchObject(rejectedWith('unknown_row'));
    await table.driver.succeed(a);
    await table.loseLane();
    expect(await table.driver.finalize(0n)).toMatchObject(rejectedWith('stale_fence'));
  });

  it('F: an attempt’s outcome does not become final with a nonce under which the attempt was not executed', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    const again = aSignedTransaction('a again');
    await table.driver.store(refOf(a.attempt), 1n, again);
    await table.driver.settle(1n, took(again.hash, { block: aBlock(101) }));
    await table.driver.finalize(0n);
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'succeeded', isFinal: false });
    await table.driver.finalize(1n);
    expect(await table.attempt(a.attempt)).toMatchObject({ state: 'succeeded', isFinal: true });
  });

  it('F: a waiting attempt does not change if a nonce that it has lost becomes final', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    await table.driver.settle(0n, foreign);
    await table.driver.finalize(0n);
    expect(await table.attempt(attempt)).toMatchObject({ state: 'accepted', isFinal: false });
  });
});
