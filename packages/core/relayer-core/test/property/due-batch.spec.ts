import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { allowedBatches } from '../../src/batches/domain/allowed-batches.js';
import { dueBatch, type WaitingDeposits } from '../../src/batches/domain/due-batch.js';

const BATCH_SIZES = [3, 5, 7];
const SMALLEST = 3;
const LARGEST = 7;

const seconds = fc.integer({ min: 0, max: 20_000 });
const waits = fc.record({
  agesSeconds: fc
    .array(seconds, { maxLength: 12 })
    .map((ages) => ages.toSorted((older, younger) => younger - older)),
  batchSizes: fc.constant(BATCH_SIZES),
  crowdWaitSeconds: seconds,
  partialAfterSeconds: fc.option(seconds),
});

function isAged({ agesSeconds, partialAfterSeconds }: WaitingDeposits): boolean {
  const youngest = agesSeconds.at(-1);
  const isCrowd = youngest !== undefined && agesSeconds.length > 1;
  return isCrowd && partialAfterSeconds !== null && youngest >= partialAfterSeconds;
}

/** Returns the sizes of full batches that may be deployed now. */
function fullBatches({ agesSeconds, batchSizes }: WaitingDeposits): readonly number[] {
  const crowd = { waiting: agesSeconds.length, youngestSeconds: 0, batchSizes };
  return allowedBatches({ ...crowd, partialAfterSeconds: null }).map(({ count }) => count);
}

function later(waiting: WaitingDeposits, bySeconds: number): WaitingDeposits {
  return { ...waiting, agesSeconds: waiting.agesSeconds.map((age) => age + bySeconds) };
}

describe('the batch that is due', () => {
  it('only the largest full batch may split a crowd of deposits before the crowd’s wait is over', () => {
    fc.assert(
      fc.property(waits, (waiting) => {
        const decision = dueBatch(waiting);
        if (!decision.due || isAged(waiting)) return;
        const { count } = decision.batch;
        const completedBy = waiting.agesSeconds[SMALLEST - 1] ?? -1;
        expect(count === LARGEST || completedBy >= waiting.crowdWaitSeconds).toBe(true);
      }),
    );
  });

  it('chooses the largest full batch that splits no crowd of deposits', () => {
    fc.assert(
      fc.property(waits, (waiting) => {
        const decision = dueBatch(waiting);
        if (!decision.due || decision.batch.partial || isAged(waiting)) return;
        const { count } = decision.batch;
        expect(BATCH_SIZES).toContain(count);
        expect(fullBatches(waiting).filter((size) => size > count)).toEqual([]);
      }),
    );
  });

  it('a full batch is due at the latest when the third deposit has waited for the configured time', () => {
    fc.assert(
      fc.property(waits, (waiting) => {
        const completedBy = waiting.agesSeconds[SMALLEST - 1];
        if (completedBy === undefined || completedBy < waiting.crowdWaitSeconds) return;
        if (fullBatches(waiting).length === 0) return;
        expect(dueBatch(waiting).due).toBe(true);
      }),
    );
  });

  it('a partial batch is due when the youngest waiting deposit has the required age', () => {
    fc.assert(
      fc.property(waits, (waiting) => {
        const decision = dueBatch(waiting);
        const count = waiting.agesSeconds.length;
        const ofAll = { due: true, batch: { count, partial: !BATCH_SIZES.includes(count) } };
        const isPartial = decision.due && decision.batch.partial;
        expect(isAged(waiting) ? decision : isPartial).toEqual(isAged(waiting) ? ofAll : false);
      }),
    );
  });

  it('a batch is due at the announced time, and not one second earlier', () => {
    fc.assert(
      fc.property(waits, (waiting) => {
        const decision = dueBatch(waiting);
        if (decision.due || decision.dueInSeconds === null) return;
        expect(decision.dueInSeconds).toBeGreaterThan(0);
        expect(dueBatch(later(waiting, decision.dueInSeconds)).due).toBe(true);
        expect(dueBatch(later(waiting, decision.dueInSeconds - 1)).due).toBe(false);
      }),
    );
  });

  it.each([
    { waiting: 0, expected: { due: false, dueInSeconds: null } },
    { waiting: 2, expected: { due: false, dueInSeconds: null } },
    { waiting: 3, expected: { due: false, dueInSeconds: 3_500 } },
    { waiting: 4, expected: { due: false, dueInSeconds: null } },
    { waiting: 6, expected: { due: false, dueInSeconds: 3_500 } },
    { waiting: 7, expected: { due: true, batch: { count: 7, partial: false } } },
    { waiting: 9, expected: { due: false, dueInSeconds: 3_500 } },
    { waiting: 10, expected: { due: true, batch: { count: 7, partial: false } } },
  ])(
    'decides about a batch of $waiting deposits that arrived 100 seconds ago: $expected',
    ({ waiting, expected }) => {
      const agesSeconds = Array.from({ length: waiting }, () => 100);
      const settings = {
        batchSizes: BATCH_SIZES,
        crowdWaitSeconds: 3_600,
        partialAfterSeconds: null,
      };
      expect(dueBatch({ agesSeconds, ...settings })).toEqual(expected);
    },
  );

  it('the wait for a full batch begins with the third deposit, not with the first deposit', () => {
    const settings = {
      batchSizes: BATCH_SIZES,
      crowdWaitSeconds: 3_600,
      partialAfterSeconds: null,
    };
    expect(dueBatch({ agesSeconds: [90_000, 90_000, 10, 5, 5], ...settings })).toEqual({
      due: false,
      dueInSeconds: 3_590,
    });
    expect(dueBatch({ agesSeconds: [90_000, 90_000, 3_600, 5, 5], ...settings })).toEqual({
      due: true,
      batch: { count: 5, partial: false },
    });
  });
});
