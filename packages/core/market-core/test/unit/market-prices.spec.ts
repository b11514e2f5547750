import { describe, expect, it } from '@jest/globals';
import {
  MarketPrices,
  PriceUnavailable,
  type MarketPricesSettings,
  type PriceObservation,
  type PriceSource,
} from '../../src/index.js';
import { NOW_MS, PRICES } from '../support/prices.js';
import { FixedPrices } from '../../src/testing/index.js';
import { MovingClock } from '@sotto/kernel/testing';

const limits = { maxAgeMs: 600_000, maxDeviationBps: 100, quorum: 1 };

/** Wraps a source and counts the requests to it. */
function counted(source: PriceSource): PriceSource & { rounds: number } {
  const counting = {
    name: source.name,
    rounds: 0,
    observe: (assets: Parameters<PriceSource['observe']>[0]) => {
      counting.rounds += 1;
      return source.observe(assets);
    },
  };
  return counting;
}

function aMarket(sources: readonly PriceSource[], settings: Partial<MarketPricesSettings> = {}) {
  const clock = new MovingClock(NOW_MS);
  const subject = new MarketPrices(sources, clock, {
    assets: ['STRK', 'WBTC'],
    limits,
    ttlMs: 5_000,
    ...settings,
  });
  return { subject, clock, pass: (ms: number) => clock.pass(ms) };
}

const scaled = (percent: bigint): PriceObservation[] =>
  PRICES.map((price) => ({ ...price, usdE8: (price.usdE8 * percent) / 100n }));

describe('MarketPrices', () => {
  it('returns the prices of the first source if two sources agree', async () => {
    const { subject } = aMarket([new FixedPrices(PRICES), new FixedPrices(scaled(101n), 'second')]);
    expect(await subject.forFeesIn('WBTC')).toEqual({
      strkUsdE8: 4_300_000n,
      feeTokenUsdE8: 6_000_000_000_000n,
    });
  });

  const STRK = { symbol: 'STRK', decimals: 18 };
  const WBTC = { symbol: 'WBTC', decimals: 8 };

  it('returns the value of an amount in another token, rounded down', async () => {
    const { subject } = aMarket([new FixedPrices(PRICES)]);
    // The prices are 0.043 USD for STRK and 60,000 USD for WBTC.
    expect(await subject.worthOf(STRK, 1_000n * 10n ** 18n, WBTC)).toBe(71_666n);
    expect(await subject.worthOf(WBTC, 43n, STRK)).toBe(600_000_000_000_000_000n);
  });

  it('returns no value unless the sources agree on the prices of both tokens', async () => {
    const down = new FixedPrices(PRICES, 'down');
    down.fail();
    const disagreeing = [new FixedPrices(PRICES), new FixedPrices(scaled(98n), 'second')];
    for (const sources of [[down], disagreeing])
      expect(await aMarket(sources).subject.worthOf(WBTC, 1n, STRK)).toBeNull();
    const { subject } = aMarket([new FixedPrices(PRICES)]);
    expect(await subject.worthOf({ symbol: 'SOL', decimals: 9 }, 1n, STRK)).toBeNull();
  });

  it('rejects a request for prices if two sources disagree', async () => {
    const { subject } = aMarket([new FixedPrices(PRICES), new FixedPrices(scaled(98n), 'second')]);
    await expect(subject.forFeesIn('WBTC')).rejects.toMatchObject({
      code: 'PRICE_UNAVAILABLE',
      details: { asset: 'STRK', reason: 'sources disagree' },
    });
  });

  it('O2: reports the age or the failure of each source’s price', async () => {
    const [stale, silent] = [new FixedPrices(PRICES, 'stale'), new FixedPrices(PRICES, 'silent')];
    const { subject, pass } = aMarket([stale, silent]);
    expect(subject.sources()).toEqual([]);
    await subject.forFees();
    expect(subject.sources().map(({ isUsable }) => isUsable)).toEqual([true, true]);
    silent.fail(new PriceUnavailable({ causeCode: 'ECONNREFUSED' }));
    pass(600_001);
    const failed = subject.forFeesIn('WBTC');
    await expect(failed).rejects.toMatchObject({
      causeCode: 'ECONNREFUSED',
      details: {
        asset: 'STRK',
        reason: 'too few fresh sources',
        sources: 'stale: 660 s old; silent: no answer',
      },
      retryAfterSeconds: 30,
    });
    expect(subject.sources()).toMatchObject([
      { source: 'stale', isUsable: false, failure: null },
      { source: 'silent', isUsable: false, failure: { code: 'PRICE_UNAVAILABLE' } },
    ]);
    expect(subject.sources()[1]?.ages).toContainEqual({ asset: 'STRK', ageMs: 660_001 });
  });

  it('rejects an asset without a price, and the error contains the asset’s name', async () => {
    const { subject } = aMarket([new FixedPrices(PRICES)]);
    await expect(subject.forFeesIn('USDC')).rejects.toMatchObject({
      code: 'PRICE_UNAVAILABLE',
      details: { asset: 'USDC' },
    });
  });

  it('accepts the prices of one source while the second source is unavailable, unless the quorum is two', async () => {
    const down = new FixedPrices(PRICES, 'second');
    down.fail();
    const sources = [new FixedPrices(PRICES), down];
    expect(await aMarket(sources).subject.forFeesIn('WBTC')).toMatchObject({
      strkUsdE8: 4_300_000n,
    });
    const strict = aMarket(sources, { limits: { ...limits, quorum: 2 } });
    await expect(strict.subject.forFeesIn('WBTC')).rejects.toMatchObject({
      code: 'PRICE_UNAVAILABLE',
    });
  });

  it('concurrent callers share one request to the price source', async () => {
    const source = counted(new FixedPrices(PRICES));
    const { subject, clock, pass } = aMarket([source]);
    await Promise.all(Array.from({ length: 20 }, () => subject.forFeesIn('WBTC')));
    pass(4_999);
    // If the system clock is set, the cached prices do not become older.
    clock.step(60_000);
    await subject.forFeesIn('WBTC');
    expect(source.rounds).toBe(1);
    pass(1);
    await subject.forFeesIn('WBTC');
    expect(source.rounds).toBe(2);
  });

  it('checks the age of cached observations at every use', async () => {
    const { subject, pass } = aMarket([new FixedPrices(PRICES)], {
      ttlMs: Number.MAX_SAFE_INTEGER,
    });
    await subject.forFeesIn('WBTC');
    pass(limits.maxAgeMs);
    await expect(subject.forFeesIn('WBTC')).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
  });

  it('queries the price source again if the source did not respond to the last request', async () => {
    const source = new FixedPrices(PRICES);
    const { subject } = aMarket([source]);
    source.fail();
    await expect(subject.forFeesIn('WBTC')).rejects.toMatchObject({
      code: 'PRICE_UNAVAILABLE',
      cause: { code: 'FAKE_UPSTREAM_DOWN' },
    });
    source.fail(null);
    expect(await subject.forFeesIn('WBTC')).toMatchObject({ strkUsdE8: 4_300_000n });
  });

  it('queries the price sources again soon after one source has failed', async () => {
    const flaky = new FixedPrices(PRICES, 'second');
    const sound = counted(new FixedPrices(PRICES));
    const { subject, pass } = aMarket([sound, flaky], { limits: { ...limits, quorum: 2 } });
    flaky.fail();
    await expect(subject.forFeesIn('WBTC')).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
    flaky.fail(null);
    pass(49);
    await expect(subject.forFeesIn('WBTC')).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
    expect(sound.rounds).toBe(1);
    pass(1);
    expect(await subject.forFeesIn('WBTC')).toMatchObject({ strkUsdE8: 4_300_000n });
    expect(sound.rounds).toBe(2);
  });

  it('rethrows a defect of a source unchanged', async () => {
    const bug = new TypeError('no such thing');
    const { subject } = aMarket([
      new FixedPrices(PRICES),
      { name: 'broken', observe: () => Promise.reject(bug) },
    ]);
    await expect(subject.forFeesIn('WBTC')).rejects.toBe(bug);
  });
});
