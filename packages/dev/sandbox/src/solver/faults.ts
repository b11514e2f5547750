import type { HttpFault } from '../http/faults.js';

/** Endpoints of the solver. `tokens` exists only in 1Click's format. */
export type SolverEndpoint = 'quote' | 'status' | 'tokens';

/**
 * Fault of a request: a fault of {@link HttpFault}, or a fault that only a solver has.
 *
 * - `refuse`: an error status with the error body of the wire format.
 * - `word`: a status response with a wrong status text; other endpoints are unaffected.
 */
export type SolverFault =
  | HttpFault
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  | { readonly kind: 'word'; readonly word: string };

/** Control command that applies a fault to the next matching requests. */
export interface SolverFaultOrder {
  /** Endpoint of the affected requests, or `*` for every endpoint. */
  readonly endpoint: SolverEndpoint | '*';
  readonly fault: SolverFault;
  /** Number of requests that the fault affects. @default 1 */
  readonly times?: number | undefined;
}
