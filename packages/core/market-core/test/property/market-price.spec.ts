import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  agreePrice,
  type PriceLimits,
  type SourceObservations,
} from '../../src/domain/market-price.js';
import { PriceUnavailable } from '../../src/errors.js';

const NOW_MS = 1_760_000_000_000;
const limits: PriceLimits = { maxAgeMs: 60_000, maxDeviationBps: 200, quorum: 1 };

const observation = fc.record({
  asset: fc.constantFrom('STRK' as const, 'WBTC' as const),
  usdE8: fc.bigInt({ min: 9_500n, max: 10_500n }),
  observedAtMs: fc.integer({ min: NOW_MS - 90_000, max: NOW_MS + 90_000 }),
});
const sources = fc.array(
  fc.record({ source: fc.string(), observations: fc.array(observation, { maxLength: 2 }) }),
  { maxLength: 4 },
);

function priceOf(seen: readonly SourceObservations[], within: PriceLimits = limits): bigint | null {
  try {
    return agreePrice('STRK', seen, within, NOW_MS);
  } catch (error) {
    if (error instanceof PriceUnavailable) return null;
    throw error;
  }
}

const one = (
  change: Partial<SourceObservations['observations'][number]>,
  source = 'one',
): SourceObservations => ({
  source,
  observations: [{ asset: 'STRK', usdE8: 10_000n, observedAtMs: NOW_MS, ...change }],
});

describe('agreePrice', () => {
  it.each([
    ['as old as allowed', { observedAtMs: NOW_MS - 60_000 }, 10_000n],
    ['a millisecond older', { observedAtMs: NOW_MS - 60_001 }, null],
    ['from a future as far as allowed', { observedAtMs: NOW_MS + 60_000 }, 10_000n],
    ['from further ahead', { observedAtMs: NOW_MS + 60_001 }, null],
    ['of nothing', { usdE8: 0n }, null],
    ['of another asset', { asset: 'USDC' as const }, null],
  ])(
    'accepts the price of a single source according to its age, asset and value: %s',
    (_, change, price) => {
      expect(priceOf([one(change)])).toBe(price);
    },
  );

  it.each([
    [10_200n, 10_000n],
    [10_201n, null],
    [9_804n, 10_000n],
    [9_803n, null],
  ])(
    'accepts two prices only if they differ by at most 200 basis points: 10,000 and %s',
    (second, price) => {
      expect(priceOf([one({}), one({ usdE8: second }, 'two')])).toBe(price);
    },
  );

  it('rejects prices from fewer sources than the quorum', () => {
    const stale = one({ observedAtMs: 0 }, 'two');
    expect(priceOf([one({}), stale])).toBe(10_000n);
    expect(priceOf([one({}), stale], { ...limits, quorum: 2 })).toBeNull();
  });

  it('ignores one price of three that deviates from the two other prices', () => {
    const off = one({ usdE8: 5_000n }, 'off');
    const [second, third] = [one({ usdE8: 10_100n }, 'two'), one({ usdE8: 20_000n }, 'three')];
    const strict = { ...limits, quorum: 2 };
    expect(priceOf([off, one({}), second], strict)).toBe(10_000n);
    expect(priceOf([one({}), off, second], strict)).toBe(10_000n);
    expect(priceOf([off, one({}), second], { ...limits, quorum: 3 })).toBeNull();
    // If two sources differ, or if three sources all differ, there is no majority, so no price is
    // used.
    expect(priceOf([off, one({})])).toBeNull();
    expect(priceOf([off, one({}), third])).toBeNull();
  });

  it('prefers the more trusted source if the middle price agrees with both other prices', () => {
    const [low, high] = [one({ usdE8: 9_850n }, 'low'), one({ usdE8: 10_150n }, 'high')];
    expect(priceOf([low, one({}), high])).toBe(9_850n);
    expect(priceOf([high, one({}), low])).toBe(10_150n);
  });

  it('the agreed price is one of the fresh observed prices', () => {
    fc.assert(
      fc.property(sources, (seen) => {
        const price = priceOf(seen);
        if (price === null) return;
        const counting = seen
          .map(({ observations }) => observations.find(({ asset }) => asset === 'STRK'))
          .filter((found) => found !== undefined)
          .filter(({ observedAtMs }) => Math.abs(NOW_MS - observedAtMs) <= limits.maxAgeMs)
          .map(({ usdE8 }) => Number(usdE8));
        const near = counting.filter(
          (each) => Math.max(each, Number(price)) / Math.min(each, Number(price)) <= 1.02 + 1e-12,
        );
        expect(near).toContain(Number(price));
        expect(2 * near.length).toBeGreaterThan(counting.length);
      }),
    );
  });

  it('the order of the sources does not decide whether they agree', () => {
    fc.assert(
      fc.property(sources, (seen) => {
        expect(priceOf(seen.toReversed()) === null).toBe(priceOf(seen) === null);
      }),
    );
  });
});
