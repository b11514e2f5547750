import { SwapBuildRejected } from '../errors.js';

/** Flaw of a build, as in `details.reason` of SWAP_BUILD_REJECTED. The type lists all values. */
export type SwapBuildFlaw =
  /** The calls are not exactly one approval followed by one swap. */
  | 'calls'
  | 'approve_token'
  | 'approve_spender'
  | 'approve_amount'
  /** The swap does not call a known router. */
  | 'router'
  | 'sell_token'
  | 'sell_amount'
  | 'buy_token'
  /** The minimum is 0, below the swap's floor, or below the quote less the tolerance. */
  | 'minimum_out'
  | 'beneficiary'
  | 'integrator_fee'
  /** The felts do not match the layout of routes, or some are left over. */
  | 'routes'
  /** The legs do not connect the sold token to the bought one. */
  | 'route_tokens'
  | 'route_percent'
  /** A form of route that the swap pool can't read. */
  | 'route_form';

/** @throws SwapBuildRejected always. */
export function rejectSwapBuild(reason: SwapBuildFlaw): never {
  throw new SwapBuildRejected({ details: { reason } });
}
