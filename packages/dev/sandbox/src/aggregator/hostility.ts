import { shortStringFelt, u256Felts } from '../contracts/calldata.js';
import type { JsonObject } from '../json.js';
import { buildCalls, type BuiltCall, type SwapPlan } from './build.js';
import type { Offer } from './market.js';
import type { TradedWorld } from './trading-floor.js';

/** Faulty build responses of a dishonest or broken aggregator. Each value names one error. */
export const HOSTILE_DEEDS = [
  'wrong-spender',
  'unlimited-approval',
  'wrong-beneficiary',
  'lower-minimum',
  'unknown-router',
  'integrator-fee',
  'other-sell-token',
  'other-buy-token',
  'other-amount',
  'unknown-exchange',
  'unknown-route-form',
  'extra-call',
  'no-swap',
  'garbage-calldata',
  'no-felts',
] as const;

export type HostileDeed = (typeof HOSTILE_DEEDS)[number];

/**
 * Quotes of a dishonest or broken aggregator.
 * - `low-quote`: a thousandth of the market's amount, with a matching build.
 * - `absurd-impact`: an impossible price impact.
 * - `unsorted-quotes`: quotes with the worst one first.
 */
export const HOSTILE_QUOTES = ['low-quote', 'absurd-impact', 'unsorted-quotes'] as const;

export type HostileQuote = (typeof HOSTILE_QUOTES)[number];

const LOW = 1_000n;
/** Price impact that no real quote can have, in percent. */
const ABSURD_IMPACT = 1e9;

/** Returns the offers, changed by the given fault; unchanged if `deed` is undefined. */
export function spoilOffers(
  offers: readonly Offer[],
  deed: HostileQuote | undefined,
): readonly Offer[] {
  if (deed === 'low-quote')
    return offers.map((offer) => ({ ...offer, buyAmount: offer.buyAmount / LOW }));
  return deed === 'unsorted-quotes' ? offers.toReversed() : offers;
}

/** Returns a quote's JSON, changed by the given fault; unchanged if `deed` is undefined. */
export function spoilQuote(quote: JsonObject, deed: HostileQuote | undefined): JsonObject {
  return deed === 'absurd-impact' ? { ...quote, priceImpact: ABSURD_IMPACT } : quote;
}

/** Address that belongs to no account. */
const THIEF = shortStringFelt('thief');

const UNLIMITED = 2n ** 256n - 1n;
const UNKNOWN_FORM = shortStringFelt('twig');
/**
 * Number of felts of multi_route_swap before the first swap: nine parameters, the number of routes,
 * and two tokens.
 */
const SWAP_AT = 14;

/** Builds the calls of a swap with one error, which `deed` selects. */
export function buildHostileCalls(
  plan: SwapPlan,
  deed: HostileDeed,
  { WBTC, USDC }: TradedWorld['tokens'],
): BuiltCall[] {
  const [approve, swap] = buildCalls(plan);
  const swapWith = (calldata: BuiltCall['calldata']): BuiltCall[] => [
    approve,
    { ...swap, calldata },
  ];
  switch (deed) {
    case 'wrong-spender':
      return buildCalls({ ...plan, spender: THIEF });
    case 'unlimited-approval':
      return buildCalls({ ...plan, allowance: UNLIMITED });
    case 'wrong-beneficiary':
      return buildCalls({ ...plan, beneficiary: THIEF });
    case 'lower-minimum':
      return buildCalls({ ...plan, minimum: 1n });
    case 'unknown-router':
      return buildCalls({ ...plan, router: THIEF, spender: THIEF });
    case 'integrator-fee':
      return buildCalls({ ...plan, integratorFeeBps: 100n, integrator: THIEF });
    case 'other-sell-token':
      return buildCalls({
        ...plan,
        sellToken: plan.sellToken === USDC.address ? WBTC.address : USDC.address,
      });
    case 'other-buy-token':
      return buildCalls({
        ...plan,
        buyToken: plan.buyToken === USDC.address ? WBTC.address : USDC.address,
      });
    case 'other-amount':
      return buildCalls({
        ...plan,
        sellAmount: plan.sellAmount * 2n,
        allowance: plan.allowance * 2n,
      });
    case 'unknown-exchange':
      return buildCalls({
        ...plan,
        routes: plan.routes.map((route) => ({
          ...route,
          swap: { exchange: THIEF, percent: 10n ** 12n, params: [] },
        })),
      });
    case 'unknown-route-form':
      return swapWith(swap.calldata.toSpliced(SWAP_AT, 0, UNKNOWN_FORM));
    case 'extra-call':
      return [
        approve,
        swap,
        {
          contractAddress: plan.sellToken,
          entrypoint: 'transfer',
          calldata: [THIEF, ...u256Felts(plan.sellAmount)],
        },
      ];
    case 'no-swap':
      return [approve];
    case 'garbage-calldata':
      return swapWith(swap.calldata.map((_, index) => BigInt(index) * 1_000_003n));
    case 'no-felts':
      return swapWith(swap.calldata.map(() => 'not a felt'));
  }
}
