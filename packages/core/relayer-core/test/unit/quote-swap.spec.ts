import { describe, expect, it } from '@jest/globals';
import { toFelt, type Caller } from '@sotto/kernel';
import { failure } from '@sotto/kernel/testing';
import { FairValues, SwapRouting } from '@sotto/market-core';
import { QuoteSwap, type FeeEstimate, type QuoteSwapInput } from '../../src/index.js';
import {
  FAIR_AMOUNT,
  FAIR_RATE,
  QUOTED,
  ROUTES,
  SELL_AMOUNT,
  STRK,
  aSwap,
  aSwapWorld,
  poolStatus,
  swapPolicy,
  type SwapWorld,
} from '../support/swap-world.js';
import { vector } from '../support/vector.js';
import { pool } from '../support/world.js';

const FEE = BigInt(vector.feeSats);
const requested: QuoteSwapInput = { pool: pool.address, outputToken: STRK, slippagePpm: 10_000 };

function quoting(world: SwapWorld) {
  const fairValues = new FairValues(world.swapPorts.marketPrices, swapPolicy.outputTokens);
  const estimates: unknown[] = [];
  const subject = new QuoteSwap(
    {
      // The quote uses nothing but the fee from the fee estimate.
      estimateFee: {
        execute: async (...input): Promise<FeeEstimate> => {
          estimates.push(input);
          // CAST: a test double with the one field that is read.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          return { feeAmount: FEE } as FeeEstimate;
        },
      },
      getPoolStatus: { execute: async () => ({ ...poolStatus, blockNumber: 1, timestamp: 1 }) },
      routing: new SwapRouting(world.aggregator, fairValues, swapPolicy),
      aggregatorBudget: world.aggregatorBudget,
      clock: world.clock,
    },
    swapPolicy,
  );
  return { subject, estimates };
}

const caller = (network: string): Caller => ({ name: network, networks: [network] });

describe('QuoteSwap', () => {
  it('T17: a swap quote requires no proof', async () => {
    const world = aSwapWorld();
    const { subject, estimates } = quoting(world);
    expect(await subject.execute(requested)).toEqual({
      sellToken: pool.token,
      sellAmount: SELL_AMOUNT,
      feeAmount: FEE,
      fairAmount: FAIR_AMOUNT,
      quotedAmount: QUOTED,
      minimumOut: (QUOTED * 99n + 99n) / 100n,
      priceImpactPpm: 1,
      expiresAtMs: world.clock.nowMs() + 30_000,
    });
    expect(estimates).toEqual([[pool.address, { operation: 'private_swap' }]]);
    expect(world.aggregator.builds).toEqual([]);
    expect(world.simulator.simulated).toEqual([]);
  });

  it('T17 returns the same amounts as the dry run of a private swap with the same fee', async () => {
    const world = aSwapWorld();
    const { sellToken: _, ...quoted } = await quoting(world).subject.execute(requested);
    const { waitMs: _waitMs, ...proposed } = aSwap;
    expect((await world.restarted().dryRun(proposed)).swap).toEqual(quoted);
  });

  it('T17: a gain is reported as a negative price impact', async () => {
    const world = aSwapWorld();
    const endsAtMs = world.clock.nowMs() + 5_000;
    world.aggregator.setRates([
      {
        sellToken: pool.token.address,
        buyToken: STRK,
        bought: (FAIR_RATE * 101n) / 100n,
        sold: 1n,
      },
    ]);
    world.aggregator.offer((quotes) => quotes.map((each) => ({ ...each, expiresAtMs: endsAtMs })));
    expect(await quoting(world).subject.execute(requested)).toMatchObject({
      priceImpactPpm: -9_999,
      expiresAtMs: endsAtMs,
    });
  });

  it.each<[string, Partial<QuoteSwapInput>, string]>([
    ['another pool', { pool: toFelt('0xdead') }, 'POOL_NOT_SUPPORTED'],
    ['another token', { outputToken: toFelt('0xdead') }, 'OUTPUT_TOKEN_NOT_SUPPORTED'],
    ['too much tolerance', { slippagePpm: 150_001 }, 'SLIPPAGE_OUT_OF_RANGE'],
    ['too little tolerance', { slippagePpm: 0 }, 'SLIPPAGE_OUT_OF_RANGE'],
  ])(
    'rejects %s before any request to the aggregator, without using the aggregator’s budget',
    async (_what, change, code) => {
      const world = aSwapWorld();
      const { subject, estimates } = quoting(world);
      for (let request = 0; request <= ROUTES; request += 1)
        expect(await failure(subject.execute({ ...requested, ...change }))).toMatchObject({ code });
      expect([estimates, world.aggregator.requested]).toEqual([[], []]);
    },
  );

  it('T9: swap quotes for one network do not use up the whole request budget at the aggregator', async () => {
    const world = aSwapWorld();
    const { subject } = quoting(world);
    const flood = caller('10.0.0.0/24');
    for (let request = 0; request < ROUTES / 2; request += 1)
      await subject.execute({ ...requested, caller: flood });
    expect(await failure(subject.execute({ ...requested, caller: flood }))).toMatchObject({
      code: 'OVERLOADED',
    });
    expect(world.aggregator.requested).toHaveLength(ROUTES / 2);
    await subject.execute({ ...requested, caller: caller('10.0.1.0/24') });
    // In the next window, the flooding network uses its whole share again. The swap of the other
    // network still has budget.
    world.clock.pass(10_000);
    for (let request = 0; request < ROUTES; request += 1)
      await subject.execute({ ...requested, caller: flood }).catch(() => undefined);
    const { waitMs: _, ...proposed } = aSwap;
    const { admissible } = await world
      .restarted()
      .dryRun({ ...proposed, caller: caller('10.0.1.0/24') });
    expect(admissible).toBe(true);
  });

  it('rejects a swap quote that is too far below the fair value', async () => {
    const world = aSwapWorld();
    world.aggregator.setRates([
      { sellToken: pool.token.address, buyToken: STRK, bought: FAIR_RATE / 2n, sold: 1n },
    ]);
    expect(await failure(quoting(world).subject.execute(requested))).toMatchObject({
      code: 'PRICE_IMPACT_TOO_HIGH',
      details: { fairAmount: String(FAIR_AMOUNT) },
    });
  });

  it('T17: uses the second-best quote if the aggregator reports too high a price impact for the best quote', async () => {
    const world = aSwapWorld();
    world.aggregator.offer(([best, ...others]) =>
      best === undefined ? [] : [{ ...best, priceImpactPpm: 30_001 }, ...others],
    );
    expect(await quoting(world).subject.execute(requested)).toMatchObject({
      quotedAmount: (QUOTED * 995n) / 1_000n,
    });
    world.aggregator.offer((quotes) => quotes.map((each) => ({ ...each, priceImpactPpm: 30_001 })));
    expect(await failure(quoting(world).subject.execute(requested))).toMatchObject({
      code: 'PRICE_IMPACT_TOO_HIGH',
      details: { quotedAmount: String(QUOTED) },
    });
  });

  it('T17: accepts a quote for which the aggregator reports a gain', async () => {
    const world = aSwapWorld();
    world.aggregator.offer((quotes) => quotes.map((each) => ({ ...each, priceImpactPpm: -500 })));
    expect(await quoting(world).subject.execute(requested)).toMatchObject({ quotedAmount: QUOTED });
    world.aggregator.setRates([
      { sellToken: pool.token.address, buyToken: STRK, bought: FAIR_RATE / 2n, sold: 1n },
    ]);
    expect(await failure(quoting(world).subject.execute(requested))).toMatchObject({
      code: 'PRICE_IMPACT_TOO_HIGH',
    });
  });
});
