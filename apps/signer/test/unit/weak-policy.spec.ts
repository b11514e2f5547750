import { describe, expect, it } from '@jest/globals';
import { Policy } from '../../src/policy/policy.js';
import { weakPolicy } from '../../src/policy/weak-policy.js';
import { BOUNDS, POLICY } from '../support/signer-under-test.js';

const [FIRST, ...OTHERS] = POLICY.accounts;
const weakness = (changes: object = {}, ofFirst: object = {}): readonly string[] =>
  weakPolicy(
    Policy.parse({ ...POLICY, ...changes, accounts: [{ ...FIRST, ...ofFirst }, ...OTHERS] }),
  );

const priced = (maxPriceFri: string): object => ({
  bounds: { ...BOUNDS, l2Gas: { ...BOUNDS.l2Gas, maxPriceFri } },
});

describe('a policy', () => {
  it('a signer policy whose daily budget is at least 24 times the hourly budget causes a warning', () => {
    expect(weakness({ budget: { perHourFri: '10', perDayFri: '239' } })).toEqual([]);
    expect(weakness({ budget: { perHourFri: '10', perDayFri: '240' } })).toEqual([
      'SIGNER_POLICY: budget: perDayFri is 24 times perHourFri or more, so it bounds no day',
    ]);
    const day = { perHourFri: '10', perDayFri: '239' };
    expect(weakness({ budget: day }, { budget: { perHourFri: '1', perDayFri: '24' } })).toEqual([
      expect.stringMatching(/^SIGNER_POLICY: accounts\[0\]\.budget: /),
    ]);
  });

  it('a signer policy causes a warning if its maximum gas price is far above the maximum gas price of a drafted policy', () => {
    const budget = { perHourFri: '10', perDayFri: '20' };
    expect(weakness({ budget }, priced('1000000000000'))).toEqual([]);
    expect(weakness({ budget }, priced('1000000000001'))).toEqual([
      expect.stringMatching(/^SIGNER_POLICY: accounts\[0\]\.bounds\.l2Gas: /),
    ]);
  });
});
