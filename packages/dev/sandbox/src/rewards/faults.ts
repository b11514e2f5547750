import type { HttpFault } from '../http/faults.js';

/**
 * Fault injected into a request: those of {@link HttpFault}, or `refuse`, a response with this
 * status and a JSON error.
 */
export type RewardsFault = HttpFault | { readonly kind: 'refuse'; readonly status: number };

/** A fault for the next requests. */
export interface RewardsFaultOrder {
  readonly fault: RewardsFault;
  /** Number of affected requests. @default 1 */
  readonly times?: number | undefined;
}
