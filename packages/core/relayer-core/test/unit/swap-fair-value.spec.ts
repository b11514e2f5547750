import { describe, expect, it } from '@jest/globals';
import { FairValues, type SwapQuote } from '@sotto/market-core';
import {
  FAIR_AMOUNT,
  FAIR_FLOOR,
  FAIR_RATE,
  QUOTED,
  SELL_AMOUNT,
  STRK,
  aSwap,
  aSwapWorld,
  swapPolicy,
  type SwapWorld,
} from '../support/swap-world.js';
import { NOW_MS, PRICES, pool } from '../support/world.js';

const SOLD = pool.token.address;
/** Quoted amount minus 1 %, rounded up. */
const PROMISED = (QUOTED * 99n + 99n) / 100n;
/** Sets the aggregator’s quotes to this share of the fair value, in millionths. */
const quoteShare = ({ aggregator }: SwapWorld, ppm: bigint): void =>
  aggregator.setRates([
    { sellToken: SOLD, buyToken: STRK, bought: FAIR_RATE * ppm, sold: 1_000_000n },
  ]);
const offer = ({ aggregator }: SwapWorld, change: Partial<SwapQuote>): void =>
  aggregator.offer((quotes) => quotes.map((quote) => ({ ...quote, ...change })));
const nothingSent = ({ aggregator, submissions }: SwapWorld) => [
  aggregator.builds,
  submissions.attempts,
];

/** Returns the minimum output in the submitted call. */
function minimumSent({ submissions }: SwapWorld): bigint {
  const calldata = submissions.accepted[0]?.calldata;
  if (calldata === undefined) throw new Error('nothing was submitted');
  const at = 2 + Number(calldata.at(1)) + 3;
  return calldata.at(at) + (calldata.at(at + 1) << 128n);
}

describe('S3: the price of a private swap', () => {
  it('S3: rejects a quote of a thousandth of the fair value', async () => {
    const world = aSwapWorld();
    quoteShare(world, 1_000n);
    offer(world, { priceImpactPpm: 999_000 });
    await expect(world.swap()).rejects.toMatchObject({
      code: 'PRICE_IMPACT_TOO_HIGH',
      kind: 'unprocessable',
      details: {
        fairAmount: String(FAIR_AMOUNT),
        quotedAmount: String((SELL_AMOUNT * FAIR_RATE) / 1_000n),
        maximumImpact: 0.03,
      },
    });
    expect(nothingSent(world)).toEqual([[], []]);
  });

  it('S3 compares a low quote with the fair value even if the quote states no price impact', async () => {
    const world = aSwapWorld();
    quoteShare(world, 969_999n);
    await expect(world.swap()).rejects.toMatchObject({ code: 'PRICE_IMPACT_TOO_HIGH' });
    expect(nothingSent(world)).toEqual([[], []]);
  });

  it('S3: rejects a quote if the price impact reported by the aggregator is too high', async () => {
    const stated = aSwapWorld();
    offer(stated, { priceImpactPpm: 30_001 });
    await expect(stated.swap()).rejects.toMatchObject({ code: 'PRICE_IMPACT_TOO_HIGH' });
    const allowed = aSwapWorld();
    offer(allowed, { priceImpactPpm: 30_000 });
    await allowed.swap();
    expect(minimumSent(allowed)).toBe(PROMISED);
  });

  it('S3: uses the quote with the largest amount, regardless of the order of the quotes', async () => {
    const world = aSwapWorld();
    world.aggregator.offer((quotes) => [
      ...quotes.slice(0, 1).map((quote) => ({ ...quote, quoteId: 'empty', buyAmount: 0n })),
      ...quotes.toReversed(),
    ]);
    await world.swap();
    expect(world.aggregator.builds).toMatchObject([{ quoteId: 'quote-1' }]);
  });

  it.each([
    ['a hundred times the value', 100_000_000n],
    ['more than twice the value', 2_100_000n],
  ])('S3 rejects an aggregator’s quote of %s', async (_, ppm) => {
    const world = aSwapWorld();
    quoteShare(world, ppm);
    await expect(world.swap()).rejects.toMatchObject({ code: 'NO_QUOTES_AVAILABLE' });
    expect(nothingSent(world)).toEqual([[], []]);
  });

  it('S3 uses the best of the quotes that are at most twice the fair value', async () => {
    const world = aSwapWorld();
    world.aggregator.offer((quotes) => [
      ...quotes.map((quote) => ({ ...quote, quoteId: 'cents', buyAmount: quote.buyAmount * 100n })),
      ...quotes,
    ]);
    await world.swap();
    expect(world.aggregator.builds).toMatchObject([{ quoteId: 'quote-1' }]);
  });

  it('S3 never signs a minimum output below the floor, for any requested tolerance', async () => {
    const world = aSwapWorld();
    const { inForce } = await world.swap({ slippagePpm: 150_000 });
    expect(inForce?.floor).toBe(FAIR_FLOOR);
    expect(inForce?.slippagePpm).toBeLessThanOrEqual(30_000);
    expect(inForce?.slippagePpm).toBeGreaterThan(29_990);
    expect(world.aggregator.builds).toMatchObject([{ slippagePpm: 29_999 }]);
    expect(minimumSent(world)).toBeGreaterThanOrEqual(FAIR_FLOOR);
  });

  it('S3: reduces the tolerance of a slightly low quote, so that the minimum output remains at the floor', async () => {
    const world = aSwapWorld();
    quoteShare(world, 975_000n);
    const { inForce } = await world.swap({ slippagePpm: 20_000 });
    expect(inForce).toMatchObject({ floor: FAIR_FLOOR, slippagePpm: 5_128 });
    expect(minimumSent(world)).toBeGreaterThanOrEqual(FAIR_FLOOR);
  });

  it('uses the requested tolerance if the resulting minimum output is above the floor', async () => {
    const { inForce } = await aSwapWorld().swap();
    expect(inForce).toEqual({ floor: PROMISED, slippagePpm: 10_000 });
  });

  it('a request with looser terms than the swap in flight gets the minimum output and tolerance of this swap', async () => {
    const { swap } = aSwapWorld();
    await swap();
    expect((await swap({ slippagePpm: 150_000, minAmountOut: 1n })).inForce).toEqual({
      floor: PROMISED,
      slippagePpm: 10_000,
    });
  });

  it('rejects a quote if the tolerance above the floor would be less than the smallest allowed tolerance', async () => {
    const world = aSwapWorld();
    quoteShare(world, 970_900n);
    await expect(world.swap()).rejects.toMatchObject({ code: 'PRICE_IMPACT_TOO_HIGH' });
    quoteShare(world, 971_000n);
    expect((await world.swap()).inForce?.slippagePpm).toBeGreaterThanOrEqual(1_000);
  });

  it('sends no swap if the aggregator expects a slippage beyond the tolerance', async () => {
    const world = aSwapWorld();
    offer(world, { estimatedSlippagePpm: 10_001 });
    await expect(world.swap()).rejects.toMatchObject({ code: 'SLIPPAGE_TOO_TIGHT' });
    expect(nothingSent(world)).toEqual([[], []]);
    offer(world, { estimatedSlippagePpm: 10_000 });
    await world.swap();
  });
});

describe('the minimum amount requested by a caller', () => {
  it('T2: signs the highest of three minimums: the caller’s minimum, the fair-value floor, and the quote minus the tolerance', async () => {
    for (const [minAmountOut, slippagePpm, minimum] of [
      [1n, 150_000, FAIR_FLOOR],
      [1n, 5_000, (QUOTED * 995n + 999n) / 1_000n],
      [(FAIR_AMOUNT * 99n) / 100n, 150_000, (FAIR_AMOUNT * 99n) / 100n],
    ] as const) {
      const world = aSwapWorld();
      const { inForce } = await world.swap({ minAmountOut, slippagePpm });
      expect([inForce?.floor, minimumSent(world)]).toEqual([minimum, minimum]);
    }
  });

  it('a low minimum of the caller does not make a quote far below the fair value acceptable', async () => {
    const world = aSwapWorld();
    quoteShare(world, 900_000n);
    await expect(world.swap({ minAmountOut: 1n })).rejects.toMatchObject({
      code: 'PRICE_IMPACT_TOO_HIGH',
    });
  });

  it('rejects the swap if the quote leaves no tolerance above the caller’s minimum output', async () => {
    for (const minAmountOut of [QUOTED, QUOTED + 1n, (QUOTED * 9_995n) / 10_000n]) {
      const world = aSwapWorld();
      await expect(world.swap({ minAmountOut })).rejects.toMatchObject({
        code: 'MINIMUM_NOT_MET',
        kind: 'unprocessable',
        details: { minAmountOut: String(minAmountOut), quotedAmount: String(QUOTED) },
      });
      expect(nothingSent(world)).toEqual([[], []]);
    }
  });

  it('a request with a smaller minimum output than the swap in flight gets this swap', async () => {
    const world = aSwapWorld();
    await world.swap();
    expect(await world.swap({ minAmountOut: 1n })).toMatchObject({ submissionId: 'attempt-1' });
    expect(world.aggregator.builds).toHaveLength(1);
  });

  it('no later swap of a note has a lower minimum output than the pinned minimum of the caller', async () => {
    const world = aSwapWorld();
    const minAmountOut = (FAIR_AMOUNT * 98n) / 100n;
    const { submissionId } = await world.swap({ minAmountOut, slippagePpm: 150_000 });
    world.submissions.execute(submissionId, 'REVERTED');
    quoteShare(world, 980_500n);
    await expect(world.swap({ minAmountOut: 1n })).rejects.toMatchObject({
      code: 'SWAP_BELOW_FLOOR',
      details: { floor: String(minAmountOut) },
    });
    quoteShare(world, 900_000n);
    await expect(world.swap({ minAmountOut: 1n })).rejects.toMatchObject({
      code: 'PRICE_IMPACT_TOO_HIGH',
    });
    quoteShare(world, 990_000n);
    const { inForce } = await world.swap({ minAmountOut: 1n, slippagePpm: 150_000 });
    expect(inForce).toMatchObject({ floor: minAmountOut });
  });
});

describe('two independent prices', () => {
  it('reads two independent prices before any request to the aggregator', async () => {
    const world = aSwapWorld();
    world.secondPrices.fail();
    await expect(world.swap()).rejects.toMatchObject({
      code: 'PRICE_UNAVAILABLE',
      details: { reason: 'too few fresh sources' },
    });
    expect(world.aggregator.requested).toEqual([]);
  });

  it('uses the higher of two fair values, so that one wrong price source cannot lower the floor', async () => {
    for (const [permille, floor] of [
      [1_005n, (FAIR_FLOOR * 1_005n) / 1_000n],
      [995n, FAIR_FLOOR],
    ] as const) {
      const world = aSwapWorld();
      world.secondPrices.set(
        PRICES.map((each) =>
          each.asset === 'WBTC' ? { ...each, usdE8: (each.usdE8 * permille) / 1_000n } : each,
        ),
      );
      expect((await world.swap({ slippagePpm: 150_000 })).inForce?.floor).toBe(floor);
    }
  });

  it('rejects a swap with PRICE_UNAVAILABLE if the two price sources disagree', async () => {
    const world = aSwapWorld();
    world.secondPrices.set(
      PRICES.map((price) => ({ ...price, usdE8: (price.usdE8 * 98n) / 100n })),
    );
    await expect(world.swap()).rejects.toMatchObject({
      code: 'PRICE_UNAVAILABLE',
      details: { reason: 'sources disagree' },
    });
    expect(world.aggregator.requested).toEqual([]);
  });

  it('S3 does not offer an output token for which a price source has no price', async () => {
    const world = aSwapWorld();
    const fairValues = new FairValues(world.ports.marketPrices, swapPolicy.outputTokens);
    expect(await fairValues.offered()).toEqual(swapPolicy.outputTokens);
    world.secondPrices.set(PRICES.filter(({ asset }) => asset === 'WBTC'));
    expect(await fairValues.offered()).toEqual([]);
    await expect(world.swap()).rejects.toMatchObject({
      code: 'OUTPUT_TOKEN_NOT_SUPPORTED',
      kind: 'unprocessable',
    });
    expect(world.aggregator.requested).toEqual([]);
  });

  it('continues to offer an output token while a price source is unavailable', async () => {
    const world = aSwapWorld();
    const fairValues = new FairValues(world.ports.marketPrices, swapPolicy.outputTokens);
    world.secondPrices.fail();
    expect(await fairValues.offered()).toEqual(swapPolicy.outputTokens);
    world.prices.fail();
    expect(await fairValues.offered()).toEqual(swapPolicy.outputTokens);
  });

  it('rejects a swap if one of the two prices is too old', async () => {
    const world = aSwapWorld();
    world.secondPrices.set(PRICES.map((price) => ({ ...price, observedAtMs: NOW_MS - 3_600_001 })));
    await expect(world.swap(aSwap)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
  });
});
