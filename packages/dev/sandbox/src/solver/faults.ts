import type { HttpFault } from '../http/faults.js';

/** Endpoints of the solver; `tokens` exists only in 1Click's format. */
export type SolverEndpoint = 'quote' | 'status' | 'tokens';

/**
 * Fault injected into a request: those of {@link HttpFault}, and faults specific to a solver.
 *
 * - `refuse`: an error status with the error body of the format.
 * - `word`: a status response with another status word; other endpoints are unaffected.
 */
export type SolverFault =
  | HttpFault
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  | { readonly kind: 'word'; readonly word: string };

/** Fault for the next matching requests. */
export interface SolverFaultOrder {
  /** Endpoint, or `*` for any. */
  readonly endpoint: SolverEndpoint | '*';
  readonly fault: SolverFault;
  /** Number of affected requests. @default 1 */
  readonly times?: number | undefined;
}
