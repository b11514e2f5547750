import { u256Felts } from '../contracts/calldata.js';
import { routesFelts, type Route } from '../contracts/route.js';
import type { Quote } from './quote-store.js';

/** Call in a build response. A string is a felt, or arbitrary text from a hostile aggregator. */
export interface BuiltCall {
  readonly contractAddress: bigint;
  readonly entrypoint: string;
  readonly calldata: readonly (bigint | string)[];
}

/** All terms of the two calls of a swap. */
export interface SwapPlan {
  readonly router: bigint;
  readonly spender: bigint;
  readonly allowance: bigint;
  readonly sellToken: bigint;
  readonly sellAmount: bigint;
  readonly buyToken: bigint;
  readonly buyAmount: bigint;
  readonly minimum: bigint;
  readonly beneficiary: bigint;
  readonly integratorFeeBps: bigint;
  readonly integrator: bigint;
  readonly routes: readonly Route[];
}

/** Units of 100 % slippage: one unit is a billionth, which is finer than any client needs. */
const SLIPPAGE_UNITS = 1_000_000_000;

/**
 * Plans a correct swap for a quote.
 * @param slippage tolerated loss as a fraction from 0 to 1; the resulting minimum is rounded down
 */
export function planSwap(quote: Quote, taker: bigint, slippage: number, router: bigint): SwapPlan {
  const { sellToken, sellAmount, buyToken, buyAmount, routes } = quote;
  const kept = BigInt(SLIPPAGE_UNITS - Math.round(slippage * SLIPPAGE_UNITS));
  return {
    router,
    spender: router,
    allowance: sellAmount,
    sellToken,
    sellAmount,
    buyToken,
    buyAmount,
    minimum: (buyAmount * kept) / BigInt(SLIPPAGE_UNITS),
    beneficiary: taker,
    integratorFeeBps: 0n,
    integrator: 0n,
    routes,
  };
}

/** Builds the two calls of a plan: approve, then multi_route_swap. */
export function buildCalls(plan: SwapPlan): [approve: BuiltCall, swap: BuiltCall] {
  return [
    {
      contractAddress: plan.sellToken,
      entrypoint: 'approve',
      calldata: [plan.spender, ...u256Felts(plan.allowance)],
    },
    {
      contractAddress: plan.router,
      entrypoint: 'multi_route_swap',
      calldata: [
        plan.sellToken,
        ...u256Felts(plan.sellAmount),
        plan.buyToken,
        ...u256Felts(plan.buyAmount),
        ...u256Felts(plan.minimum),
        plan.beneficiary,
        plan.integratorFeeBps,
        plan.integrator,
        ...routesFelts(plan.routes),
      ],
    },
  ];
}
