import type { HttpFault } from '../http/faults.js';

/**
 * Fault of a request: a fault of {@link HttpFault}, or `refuse`, which is a response with this
 * status and a JSON error.
 */
export type RewardsFault = HttpFault | { readonly kind: 'refuse'; readonly status: number };

/** Control command that applies a fault to the next requests. */
export interface RewardsFaultOrder {
  readonly fault: RewardsFault;
  /** Number of requests that the fault affects. @default 1 */
  readonly times?: number | undefined;
}
