import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { allowedBatches } from '../../src/batches/domain/allowed-batches.js';
import { dueBatch } from '../../src/batches/domain/due-batch.js';

const SIZES = fc
  .uniqueArray(fc.integer({ min: 2, max: 9 }), { minLength: 1, maxLength: 4 })
  .map((sizes) => sizes.toSorted((left, right) => left - right));

const crowds = fc.record({
  waiting: fc.integer({ min: 0, max: 40 }),
  youngestSeconds: fc.integer({ min: 0, max: 100 }),
  batchSizes: SIZES,
  partialAfterSeconds: fc.option(fc.integer({ min: 0, max: 100 })),
});

describe('T13: the common rule for crowds', () => {
  it('every allowed batch leaves either no deposit or enough deposits for the smallest full batch', () => {
    fc.assert(
      fc.property(crowds, (crowd) => {
        for (const { count } of allowedBatches(crowd)) {
          const left = crowd.waiting - count;
          expect(left === 0 || left >= Math.min(...crowd.batchSizes)).toBe(true);
        }
      }),
    );
  });

  it('the crowd rule never allows a batch of a single deposit', () => {
    fc.assert(
      fc.property(crowds, (crowd) => {
        expect(allowedBatches(crowd).filter(({ count }) => count < 2)).toEqual([]);
      }),
    );
  });

  it('the crowd rule allows a partial batch only if it contains all deposits and all are aged', () => {
    fc.assert(
      fc.property(crowds, (crowd) => {
        const { waiting, youngestSeconds, batchSizes, partialAfterSeconds } = crowd;
        const allowed = allowedBatches(crowd);
        const full = allowed.filter(({ partial }) => !partial).map(({ count }) => count);
        expect(full).toEqual(
          batchSizes.filter(
            (size) => size === waiting || waiting - size >= Math.min(...batchSizes),
          ),
        );
        const isAged = partialAfterSeconds !== null && youngestSeconds >= partialAfterSeconds;
        expect(allowed.filter(({ partial }) => partial)).toEqual(
          isAged && waiting >= 2 ? [{ count: waiting, partial: true }] : [],
        );
      }),
    );
  });

  it('no sequence of allowed batches leaves a single waiting deposit', () => {
    fc.assert(
      fc.property(crowds, fc.array(fc.nat({ max: 10 }), { maxLength: 20 }), (crowd, choices) => {
        let { waiting } = crowd;
        for (const choice of choices) {
          const allowed = allowedBatches({ ...crowd, waiting });
          const batch = allowed[choice % Math.max(1, allowed.length)];
          if (batch === undefined) return;
          waiting -= batch.count;
          expect(waiting).not.toBe(1);
        }
      }),
    );
  });

  it('the keeper makes only batches that the crowd rule allows', () => {
    fc.assert(
      fc.property(crowds, fc.nat({ max: 100 }), (crowd, crowdWaitSeconds) => {
        const agesSeconds = Array.from({ length: crowd.waiting }, () => crowd.youngestSeconds);
        const decision = dueBatch({ ...crowd, agesSeconds, crowdWaitSeconds });
        const due = decision.due ? [decision.batch] : [];
        expect(allowedBatches(crowd)).toEqual(expect.arrayContaining(due));
      }),
    );
  });
});
