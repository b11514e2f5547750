import type { HttpFault } from '../http/faults.js';

/**
 * What goes wrong with a request, on purpose: what {@link HttpFault} lists, or `refuse`, an answer
 * with this status and a JSON error.
 */
export type RewardsFault = HttpFault | { readonly kind: 'refuse'; readonly status: number };

/** A fault for the next requests. */
export interface RewardsFaultOrder {
  readonly fault: RewardsFault;
  /** How many requests it strikes. @default 1 */
  readonly times?: number | undefined;
}
