import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { planDeposits } from '../../src/wallet/plan-deposits.js';

describe('planDeposits', () => {
  it('planDeposits fills exactly one batch, and exactly one of the planned deposits is the demonstration’s own', () => {
    const cases = fc
      .integer({ min: 1, max: 1_000 })
      .chain((size) => fc.record({ size: fc.constant(size), waiting: fc.nat(size - 1) }));
    fc.assert(
      fc.property(cases, ({ size, waiting }) => {
        const plan = planDeposits(waiting, size);
        expect(waiting + plan.length).toBe(size);
        expect(plan.filter((whose) => whose === 'own')).toHaveLength(1);
      }),
    );
  });

  it.each([
    [3, 3],
    [-1, 3],
    [0.5, 3],
    [0, 0],
    [0, 2.5],
  ])('planDeposits rejects %d waiting deposits with a batch size of %d', (waiting, size) => {
    expect(() => planDeposits(waiting, size)).toThrow(RangeError);
  });
});
