import { describe, expect, it } from '@jest/globals';
import { agreePairs, type SourceObservations } from '../../src/domain/market-price.js';
import { NOW_MS } from '../support/prices.js';

const LIMITS = { maxAgeMs: 60_000, maxDeviationBps: 100, quorum: 1 };

const seen = (source: string, prices: Readonly<Record<string, bigint>>): SourceObservations => ({
  source,
  observations: Object.entries(prices).map(([asset, usdE8]) => ({
    asset,
    usdE8,
    observedAtMs: NOW_MS,
  })),
});
const pairs = (...sources: readonly SourceObservations[]) =>
  agreePairs('WBTC', 'STRK', sources, LIMITS, NOW_MS);
const unavailable = (asset: string, reason: string) =>
  expect.objectContaining({ code: 'PRICE_UNAVAILABLE', details: { asset, reason } });

const BOTH = { WBTC: 1_000n, STRK: 50_000n };

describe('agreePairs', () => {
  it('returns a pair of prices, for the sold and for the bought token, from each source that has both prices', () => {
    const [sold, bought] = [seen('sold', { WBTC: 1_000n }), seen('bought', { STRK: 50_000n })];
    expect(pairs(seen('a', BOTH), sold, bought, seen('b', { ...BOTH, STRK: 50_100n }))).toEqual([
      { soldUsdE8: 1_000n, boughtUsdE8: 50_000n },
      { soldUsdE8: 1_000n, boughtUsdE8: 50_100n },
    ]);
  });

  it('throws an error if only one source has the prices of both tokens', () => {
    const [sold, bought] = [seen('sold', { WBTC: 1_000n }), seen('bought', { STRK: 50_000n })];
    expect(() => pairs(seen('a', BOTH), sold, bought)).toThrow(
      unavailable('STRK', 'too few fresh sources'),
    );
  });

  it.each([
    ['USDC', 60_000],
    ['WBTC', 60_000],
    ['STRK', 15_000],
    ['ETH', 15_000],
  ])('limits the age of a price according to the volatility of %s', (asset, maxAgeMs) => {
    const old = (source: string, ageMs: number): SourceObservations => ({
      source,
      observations: [
        { asset: 'DAI', usdE8: 100n, observedAtMs: NOW_MS },
        { asset, usdE8: 7n, observedAtMs: NOW_MS - ageMs },
      ],
    });
    const pairAt = (ageMs: number) =>
      agreePairs('DAI', asset, [old('a', ageMs), old('b', ageMs)], LIMITS, NOW_MS);
    expect(pairAt(maxAgeMs)).toHaveLength(2);
    expect(() => pairAt(maxAgeMs + 1)).toThrow(unavailable(asset, 'too few fresh sources'));
  });

  it('excludes a source that the other sources outvote on one asset', () => {
    const off = seen('off', { ...BOTH, STRK: 90_000n });
    expect(pairs(off, seen('a', BOTH), seen('b', { ...BOTH, WBTC: 1_001n }))).toEqual([
      { soldUsdE8: 1_000n, boughtUsdE8: 50_000n },
      { soldUsdE8: 1_001n, boughtUsdE8: 50_000n },
    ]);
  });

  it.each(['WBTC', 'STRK'] as const)(
    'throws if the sources disagree on the price of %s',
    (asset) => {
      expect(() => pairs(seen('a', BOTH), seen('b', { ...BOTH, [asset]: 1_500n }))).toThrow(
        unavailable(asset, 'sources disagree'),
      );
    },
  );
});
