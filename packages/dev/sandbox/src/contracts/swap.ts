import type { CallContext } from '../engine/contract.js';
import { u256Felts } from './calldata.js';
import { tokenBalance } from './erc20.js';
import { routesFelts, type Route } from './route.js';

/** Swap in which a contract sells its own tokens. */
export interface OwnSwap {
  readonly router: bigint;
  readonly sellToken: bigint;
  readonly amount: bigint;
  readonly buyToken: bigint;
  readonly minimumOut: bigint;
  readonly routes: readonly Route[];
}

/** Integrator fee and fee recipient of a swap without an integrator. */
const NO_INTEGRATOR = [0n, 0n] as const;

/**
 * Swaps at the router and returns the bought amount. The beneficiary must be the caller of the
 * router, so the calling contract receives the tokens.
 */
export function swapAtRouter(
  context: CallContext,
  { router, sellToken, amount, buyToken, minimumOut, routes }: OwnSwap,
): bigint {
  const before = tokenBalance(context, buyToken, context.self);
  const minimum = u256Felts(minimumOut);
  context.call(sellToken, 'approve', [router, ...u256Felts(amount)]);
  context.call(router, 'multi_route_swap', [
    sellToken,
    ...u256Felts(amount),
    buyToken,
    ...minimum,
    ...minimum,
    context.self,
    ...NO_INTEGRATOR,
    ...routesFelts(routes),
  ]);
  return tokenBalance(context, buyToken, context.self) - before;
}
