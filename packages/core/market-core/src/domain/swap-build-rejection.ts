import { SwapBuildRejected } from '../errors.js';

/**
 * What was wrong with calls that an aggregator built: all that `details.reason` of
 * SWAP_BUILD_REJECTED can say.
 */
export type SwapBuildFlaw =
  /** Not exactly an approval and a swap, in this order. */
  | 'calls'
  | 'approve_token'
  | 'approve_spender'
  | 'approve_amount'
  /** The swap is no call of a known router. */
  | 'router'
  | 'sell_token'
  | 'sell_amount'
  | 'buy_token'
  /**
   * Below what the quote and the tolerance promise or below the swap's floor, or no amount at all.
   */
  | 'minimum_out'
  | 'beneficiary'
  | 'integrator_fee'
  /** Not laid out as routes are, or felts are left over. */
  | 'routes'
  /** The legs do not lead from the sold to the bought token. */
  | 'route_tokens'
  | 'route_percent'
  /** A form of route that the swap pool can't read. */
  | 'route_form';

/** @throws SwapBuildRejected always. */
export function rejectSwapBuild(reason: SwapBuildFlaw): never {
  throw new SwapBuildRejected({ details: { reason } });
}
