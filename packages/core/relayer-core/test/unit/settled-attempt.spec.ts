import { describe, expect, it } from '@jest/globals';
import { SettledAttempt } from '../../src/circuit-breaker/domain/settled-attempt.js';
import { lossFri } from '../../src/circuit-breaker/domain/money.js';
import type { MoneyEntry } from '../../src/index.js';
import { anEntry } from '../support/guard-world.js';
import { usdcPool } from '../support/estimate-world.js';
import { NOW_MS, pool } from '../support/world.js';

/** Value of the fee of an entry with the default terms. */
const ONE_FEE_FRI = 10n ** 18n;
const SPENT = { state: 'reverted', revertReason: 'already withdrawn' } as const;

const lossOf = ({ id, endedAtMs, gasPaidFri }: MoneyEntry) => ({
  id,
  endedAtMs,
  lossFri: gasPaidFri,
});

describe('the losses caused by users of a pool', () => {
  it('returns the losses that a pool’s users caused, oldest first', () => {
    const [first, second] = [anEntry(pool, NOW_MS, SPENT), anEntry(pool, NOW_MS + 1, SPENT)];
    const ended = new SettledAttempt([
      first,
      anEntry(pool, NOW_MS, { state: 'reverted', revertReason: 'invalid proof' }),
      anEntry(pool, NOW_MS, { ...SPENT, terms: null }),
      anEntry(pool, NOW_MS, { ...SPENT, terms: null, kind: 'deposit' }),
      anEntry(usdcPool, NOW_MS, SPENT),
      // The fees of these two cover their cost, the second one's exactly.
      anEntry(pool, NOW_MS),
      anEntry(pool, NOW_MS, { gasPaidFri: ONE_FEE_FRI }),
      second,
    ]);
    expect(ended.userLosses(pool, 0)).toEqual([lossOf(first), lossOf(second)]);
  });

  it('returns only losses that ended after the given time, not at the given time', () => {
    const [at, after] = [anEntry(pool, NOW_MS, SPENT), anEntry(pool, NOW_MS + 1, SPENT)];
    expect(new SettledAttempt([at, after]).userLosses(pool, NOW_MS)).toEqual([lossOf(after)]);
  });
});

describe('the losses of failed deposits', () => {
  it('returns the gas of the pool’s failed deposits that ended after the given time, oldest first', () => {
    const failed = { state: 'reverted', terms: null, kind: 'deposit' } as const;
    const [first, second] = [anEntry(pool, NOW_MS + 1, failed), anEntry(pool, NOW_MS + 2, failed)];
    const ended = new SettledAttempt([
      anEntry(pool, NOW_MS, failed),
      first,
      anEntry(pool, NOW_MS + 1, { ...failed, state: 'succeeded' }),
      anEntry(pool, NOW_MS + 1, { ...failed, kind: 'deploy_batch' }),
      anEntry(usdcPool, NOW_MS + 1, failed),
      second,
    ]);
    expect(ended.depositLosses(pool.address, NOW_MS)).toEqual([lossOf(first), lossOf(second)]);
  });
});

describe('lossFri', () => {
  it('returns the cost that the fee does not cover, and never a negative loss', () => {
    const losses = [ONE_FEE_FRI - 1n, ONE_FEE_FRI, ONE_FEE_FRI + 7n].map((gasPaidFri) =>
      lossFri(anEntry(pool, NOW_MS, { gasPaidFri }), 8),
    );
    expect(losses).toEqual([0n, 0n, 7n]);
  });
});

describe('the spending', () => {
  it('sums up the gas spending after the given time, for a single contract or for all contracts', () => {
    const ended = new SettledAttempt([
      anEntry(pool, NOW_MS, { gasPaidFri: 1n }),
      anEntry(usdcPool, NOW_MS, { gasPaidFri: 10n }),
      anEntry(pool, NOW_MS + 1, { gasPaidFri: 100n }),
      anEntry(usdcPool, NOW_MS + 1, { gasPaidFri: 1_000n }),
    ]);
    expect(ended.spentFri(pool.address, NOW_MS)).toBe(100n);
    expect(ended.spentFri(null, NOW_MS)).toBe(1_100n);
    expect(ended.spentFri(null, NOW_MS - 1)).toBe(1_111n);
  });
});
