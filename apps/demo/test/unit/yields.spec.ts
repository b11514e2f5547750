import { describe, expect, it } from '@jest/globals';
import { describeYields } from '../../src/domains/yields.js';

describe('describeYields', () => {
  it('the demonstration prints the total yield of each pool and its components with two decimals', () => {
    const prime = { name: 'PRIME', totalApy: 3.7673, supplyApy: 2.5673, rewardsApr: 1.2 };
    const other = { name: 'Other', totalApy: 0, supplyApy: 0, rewardsApr: 0 };
    expect(describeYields([prime, other])).toBe(
      'PRIME 3.77 % (2.57 % interest, 1.20 % rewards); Other 0.00 % (0.00 % interest, 0.00 % rewards)',
    );
  });

  it('T17 the demonstration prints a reward rate that was never read as unknown', () => {
    const prime = { name: 'PRIME', totalApy: 2.5673, supplyApy: 2.5673, rewardsApr: null };
    expect(describeYields([prime])).toBe(
      'PRIME at least 2.57 % (2.57 % interest, unknown rewards)',
    );
  });
});
