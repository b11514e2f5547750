import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import * as fc from 'fast-check';
import { readPrivateSwapCalldata } from '../../src/pools/domain/private-swap-call.js';
import {
  FAIR_RATE,
  SELL_AMOUNT,
  STRK,
  aSwap,
  aSwapWorld,
  saleOf,
  type SwapWorld,
} from '../support/swap-world.js';
import { pool } from '../support/world.js';

type Step =
  | {
      readonly kind: 'request';
      readonly by: 'owner' | 'stranger';
      readonly slippagePpm: number;
      /**
       * Minimum output in the request, in thousandths of the usual quote; null if the request sets
       * no minimum.
       */
      readonly least: bigint | null;
    }
  | { readonly kind: 'end'; readonly as: 'reverted' | 'refused' }
  | { readonly kind: 'market'; readonly quoteMille: bigint; readonly priceMille: bigint }
  | { readonly kind: 'yield'; readonly mille: bigint }
  | { readonly kind: 'restart' };

const mille = (min: bigint, max: bigint) => fc.bigInt({ min, max });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      by: fc.constantFrom('owner' as const, 'stranger' as const),
      slippagePpm: fc.integer({ min: 1_000, max: 150_000 }),
      least: fc.option(mille(1n, 1_400n), { nil: null }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      as: fc.constantFrom('reverted' as const, 'refused' as const),
    }),
  },
  fc.record({
    kind: fc.constant('market' as const),
    quoteMille: mille(900n, 1_400n),
    priceMille: mille(900n, 1_400n),
  }),
  fc.record({ kind: fc.constant('yield' as const), mille: mille(1_000n, 1_100n) }),
  fc.record({ kind: fc.constant('restart' as const) }),
);

const WBTC = pool.token.address;
const owner = (slippagePpm: number): Step => ({
  kind: 'request',
  by: 'owner',
  slippagePpm,
  least: null,
});
const IMPACT_BPS = 300n;

/** Market of the model, in which quotes and prices may disagree. */
interface Market {
  quoteMille: bigint;
  priceMille: bigint;
  sold: bigint;
}

function set(world: SwapWorld, { quoteMille, priceMille, sold }: Market): void {
  world.aggregator.setRates([
    { sellToken: WBTC, buyToken: STRK, bought: FAIR_RATE * quoteMille, sold: 1_000n },
  ]);
  const observedAtMs = world.clock.nowMs();
  const observed = [
    { asset: 'STRK', usdE8: 4_300_000n, observedAtMs },
    { asset: 'WBTC', usdE8: 6_000_000_000n * priceMille, observedAtMs },
  ];
  world.prices.set(observed);
  world.secondPrices.set(observed);
  world.simulator.calls([saleOf(sold)]);
}

/**
 * Runs the steps. Returns the minimum of every signed swap, with all limits that applied to the
 * swap.
 */
async function run(steps: readonly Step[]) {
  const world = aSwapWorld();
  let service = world.restarted();
  const market: Market = { quoteMille: 1_000n, priceMille: 1_000n, sold: SELL_AMOUNT };
  set(world, market);
  const signed: { readonly minimum: bigint; readonly bounds: readonly bigint[] }[] = [];
  const byOwner: string[] = [];
  const pins = new Set<bigint>();
  let pinned: bigint | null = null;
  for (const each of steps) {
    switch (each.kind) {
      case 'request': {
        const least =
          each.least === null ? undefined : (each.least * SELL_AMOUNT * FAIR_RATE) / 1_000n;
        const before = world.submissions.accepted.length;
        const words = { slippagePpm: each.slippagePpm, minAmountOut: least };
        const answer = await service.execute({ ...aSwap, ...words }).then(
          ({ inForce }) => `accepted at ${inForce?.floor}`,
          (error: unknown) => {
            if (!(error instanceof DomainError)) throw error;
            return error.code;
          },
        );
        if (each.by === 'owner') byOwner.push(answer);
        pinned = world.pins.all[0]?.floor ?? null;
        if (pinned !== null) pins.add(pinned);
        const accepted = world.submissions.accepted.slice(before);
        for (const { calldata } of accepted) {
          const minimum = readPrivateSwapCalldata(calldata)?.minimumOut ?? 0n;
          const quoted = (market.sold * FAIR_RATE * market.quoteMille) / 1_000n;
          const fair = (market.sold * FAIR_RATE * market.priceMille) / 1_000n;
          const tolerated = (quoted * (1_000_000n - BigInt(each.slippagePpm))) / 1_000_000n;
          const bounds = [
            pinned ?? 0n,
            least ?? 0n,
            tolerated,
            (fair * (10_000n - IMPACT_BPS)) / 10_000n,
          ];
          signed.push({ minimum, bounds });
        }
        break;
      }
      case 'end': {
        const live = world.submissions.attempts.find(({ state }) => state === 'accepted');
        if (live === undefined) break;
        if (each.as === 'reverted') world.submissions.execute(live.id, 'REVERTED');
        else world.submissions.end(live.id, 'refused', 'SLIPPAGE_TOO_TIGHT');
        break;
      }
      case 'market':
        market.quoteMille = each.quoteMille;
        market.priceMille = each.priceMille;
        set(world, market);
        break;
      case 'yield':
        market.sold = (SELL_AMOUNT * each.mille) / 1_000n;
        set(world, market);
        break;
      case 'restart':
        service = world.restarted();
    }
  }
  return { signed, byOwner, pins };
}

describe('T1 sequences of requests, ends, market moves, yield and restarts', () => {
  it('T1: a signed swap’s minimum output is never below a required minimum, after any sequence of steps', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const { signed, pins } = await run(steps);
        // The first request writes the pin of the note, and later requests never add a second pin.
        expect(pins.size).toBeLessThanOrEqual(1);
        count += signed.length;
        for (const { minimum, bounds } of signed)
          for (const bound of bounds) expect(minimum >= bound).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(count).toBeGreaterThan(100);
  });

  it('T1: reverted requests of other callers do not change the responses to a note’s owner', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1_000, max: 150_000 }),
        fc.array(step, { maxLength: 10 }),
        fc.integer({ min: 1_000, max: 150_000 }),
        async (first, between, last) => {
          const ended = between.flatMap((each): readonly Step[] =>
            each.kind === 'request'
              ? [
                  { ...each, by: 'stranger' },
                  { kind: 'end', as: 'reverted' },
                ]
              : [each],
          );
          const before: readonly Step[] = [owner(first), { kind: 'end', as: 'reverted' }];
          const [withStrangers, without] = await Promise.all([
            run([...before, ...ended, owner(last)]),
            run([...before, ...ended.filter(({ kind }) => kind !== 'request'), owner(last)]),
          ]);
          expect(withStrangers.byOwner).toEqual(without.byOwner);
          count += withStrangers.signed.length - without.signed.length;
        },
      ),
      { numRuns: 200 },
    );
    // Check that some swaps which strangers requested were signed. Otherwise the test would compare
    // nothing.
    expect(count).toBeGreaterThan(20);
  });
});
