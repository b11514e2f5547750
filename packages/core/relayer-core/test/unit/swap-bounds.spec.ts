import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readSwapBounds, swapBoundsText } from '@sotto/market-core';
import {
  FAIR_AMOUNT,
  FAIR_RATE,
  QUOTED,
  SELL_AMOUNT,
  STRK,
  aSwap,
  aSwapWorld,
  saleOf,
  type SwapWorld,
} from '../support/swap-world.js';
import { pool } from '../support/world.js';

const WBTC = pool.token.address;
const rejectionOf = (answer: Promise<unknown>) => answer.catch((error: unknown) => error);
const less = (amount: bigint, ppm: bigint): bigint =>
  (amount * (1_000_000n - ppm) + 999_999n) / 1_000_000n;

/** Returns the minimum output in the calldata of an accepted swap. */
function minimumOf({ submissions }: SwapWorld, index: number): bigint {
  const calldata = submissions.accepted[index]?.calldata;
  if (calldata === undefined) throw new Error('no such swap was submitted');
  const at = 2 + Number(calldata.at(1)) + 3;
  return calldata.at(at) + (calldata.at(at + 1) << 128n);
}

/** Sets quotes and market prices together to this percentage of their usual values. */
function moveMarket({ aggregator, prices, secondPrices, clock }: SwapWorld, percent: bigint): void {
  aggregator.setRates([
    { sellToken: WBTC, buyToken: STRK, bought: FAIR_RATE * percent, sold: 100n },
  ]);
  const observed = [
    { asset: 'STRK', usdE8: 4_300_000n, observedAtMs: clock.nowMs() },
    { asset: 'WBTC', usdE8: 60_000_000_000n * percent, observedAtMs: clock.nowMs() },
  ];
  prices.set(observed);
  secondPrices.set(observed);
}

describe('T1 a swap that is repeated after its revert', () => {
  it('T1: a swap that is repeated after a revert is signed with the terms of the new request', async () => {
    const world = aSwapWorld();
    const first = await world.swap({ slippagePpm: 5_000 });
    world.submissions.execute(first.submissionId, 'REVERTED');
    moveMarket(world, 130n);
    const dearer = (SELL_AMOUNT * FAIR_RATE * 130n) / 100n;
    const { inForce } = await world.swap({ slippagePpm: 1_000 });
    expect(inForce).toEqual({ floor: less(dearer, 1_000n), slippagePpm: 1_000 });
    expect(minimumOf(world, 1)).toBe(less(dearer, 1_000n));
  });

  it('T1: stricter terms in another caller’s request for the note do not restrict the owner’s later requests', async () => {
    const world = aSwapWorld();
    const { submissionId } = await world.swap({ slippagePpm: 5_000 });
    world.submissions.execute(submissionId, 'REVERTED');
    moveMarket(world, 130n);
    const dearer = (SELL_AMOUNT * FAIR_RATE * 130n) / 100n;
    const stranger = await world.swap({
      slippagePpm: 1_000,
      minAmountOut: (dearer * 998n) / 1_000n,
    });
    world.submissions.execute(stranger.submissionId, 'REVERTED');
    moveMarket(world, 101n);
    const minAmountOut = (QUOTED * 1_005n) / 1_000n;
    const { inForce } = await world.swap({ slippagePpm: 10_000, minAmountOut });
    expect(inForce?.floor).toBe(minAmountOut);
    expect(world.pins.all).toMatchObject([{ floor: less(QUOTED, 5_000n) }]);
  });

  it('T1: a repeated swap is never signed below the minimum output that was pinned with the note', async () => {
    const world = aSwapWorld();
    const { submissionId } = await world.swap({ slippagePpm: 5_000 });
    world.submissions.execute(submissionId, 'REVERTED');
    moveMarket(world, 98n);
    expect(await rejectionOf(world.swap({ slippagePpm: 150_000, minAmountOut: 1n }))).toMatchObject(
      {
        code: 'SWAP_BELOW_FLOOR',
        details: { floor: String(less(QUOTED, 5_000n)) },
      },
    );
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('T1: a note can still be swapped after a rejected request with a quote of twice the fair value', async () => {
    const world = aSwapWorld();
    world.aggregator.setRates([
      { sellToken: WBTC, buyToken: STRK, bought: FAIR_RATE * 2n, sold: 1n },
    ]);
    let isQuoteKept = false;
    world.simulator.revert('Insufficient tokens received', () => !isQuoteKept);
    expect(await rejectionOf(world.swap())).toMatchObject({ code: 'SLIPPAGE_TOO_TIGHT' });
    isQuoteKept = true;
    moveMarket(world, 103n);
    const { inForce } = await world.swap();
    expect(inForce?.floor).toBeLessThanOrEqual((FAIR_AMOUNT * 103n) / 100n);
  });

  it('T1 a rejected swap request stores no pin and no attempt', async () => {
    const world = aSwapWorld();
    expect(await rejectionOf(world.swap({ minAmountOut: QUOTED }))).toMatchObject({
      code: 'MINIMUM_NOT_MET',
    });
    expect([world.pins.all, world.submissions.accepted]).toEqual([[], []]);
    expect((await world.swap()).inForce?.slippagePpm).toBe(10_000);
  });
});

describe('T1 a request for a note whose swap is in flight', () => {
  it.each([
    ['a smaller tolerance', { slippagePpm: 9_000 }],
    ['a larger least output', { slippagePpm: 150_000, minAmountOut: less(QUOTED, 9_999n) + 1n }],
  ])('T1: rejects a request with %s, with the terms of the swap in flight', async (_, words) => {
    const world = aSwapWorld();
    const { submissionId } = await world.swap();
    expect(await rejectionOf(world.swap(words))).toMatchObject({
      code: 'STRICTER_THAN_IN_FLIGHT',
      kind: 'conflict',
      details: { submissionId, minimum: String(less(QUOTED, 10_000n)), slippage: '0.01' },
    });
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('T1: a request with looser terms than the swap in flight gets this swap unchanged', async () => {
    const world = aSwapWorld();
    const { submissionId } = await world.swap();
    const minimum = minimumOf(world, 0);
    expect(await world.swap({ slippagePpm: 150_000, minAmountOut: 1n })).toMatchObject({
      submissionId,
      inForce: { floor: minimum, slippagePpm: 10_000 },
    });
    expect(minimumOf(world, 0)).toBe(minimum);
  });

  it('T1: a request with any terms gets the note’s swap if the swap has already succeeded', async () => {
    const world = aSwapWorld();
    const { submissionId } = await world.swap();
    world.submissions.execute(submissionId, 'SUCCEEDED');
    expect(await world.swap({ slippagePpm: 1_000 })).toMatchObject({ submissionId });
  });

  it('T1: every instance rejects terms that are stricter than the terms of the swap in flight', async () => {
    const world = aSwapWorld();
    const { submissionId } = await world.swap();
    const stricter = { ...aSwap, slippagePpm: 1_000 };
    expect(await rejectionOf(world.restarted().execute(stricter))).toMatchObject({
      code: 'STRICTER_THAN_IN_FLIGHT',
      details: { submissionId },
    });
  });
});

describe('T2 accrued yield', () => {
  it('T2: the minimum output is computed from the amount sold in the simulation, including accrued yield', async () => {
    const world = aSwapWorld();
    const sold = (SELL_AMOUNT * 105n) / 100n;
    world.simulator.calls([saleOf(sold)]);
    const { inForce } = await world.swap();
    expect(inForce?.floor).toBe(less(sold * FAIR_RATE, 10_000n));
    expect(minimumOf(world, 0)).toBe(less(sold * FAIR_RATE, 10_000n));
    expect(world.aggregator.requested.map(({ sellAmount }) => sellAmount)).toEqual([
      SELL_AMOUNT,
      sold,
    ]);
    expect(world.pins.all).toMatchObject([{ floor: less(QUOTED, 10_000n) }]);
  });

  it('T2: simulates a swap a second time if the first simulation sells an unexpected amount', async () => {
    const expected = aSwapWorld();
    await expected.swap();
    expect(expected.simulator.simulated).toHaveLength(1);
    const more = aSwapWorld();
    more.simulator.calls([saleOf(SELL_AMOUNT + 1n)]);
    await more.swap();
    expect(more.simulator.simulated).toHaveLength(2);
  });

  it.each([
    ['at no router', [{ ...saleOf(SELL_AMOUNT), to: WBTC }]],
    ['of another token', [saleOf(SELL_AMOUNT, WBTC)]],
    ['at all', []],
  ])('T2 rejects a swap if its simulation contains no sale %s', async (_, calls) => {
    const world = aSwapWorld();
    world.simulator.calls(calls);
    expect(await rejectionOf(world.swap())).toMatchObject({ code: 'SIMULATION_REVERTED' });
    expect(world.submissions.accepted).toEqual([]);
  });
});

describe('the bounds of an attempt', () => {
  it('parses the minimum output and the tolerance of an attempt from the stored text', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 256n });
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.option(amount, { nil: undefined }),
        (minimumOut, quotedAmount, slippagePpm, minAmountOut) => {
          const bounds = { minimumOut, quotedAmount, slippagePpm };
          const whole = minAmountOut === undefined ? bounds : { ...bounds, minAmountOut };
          expect(readSwapBounds(swapBoundsText(whole))).toEqual(whole);
        },
      ),
    );
  });

  it.each([undefined, '', '1 of 2', '1 of 2 at x', '1 of 2 at 3 least', ' 1 of 2 at 3'])(
    'returns null for the text %p, because it contains no minimum and no tolerance',
    (text) => {
      expect(readSwapBounds(text)).toBeNull();
    },
  );
});
