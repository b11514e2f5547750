import type { HttpFault } from '../http/faults.js';

/** The solver's endpoints; `tokens` only in the shape of 1Click. */
export type SolverEndpoint = 'quote' | 'status' | 'tokens';

/**
 * What goes wrong with a request, on purpose: what {@link HttpFault} lists, and what only a solver
 * can do.
 *
 * - `refuse`: answered with a status and the error body of the shape.
 * - `word`: a status whose word is another; other endpoints answer as usual.
 */
export type SolverFault =
  | HttpFault
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  | { readonly kind: 'word'; readonly word: string };

/** A fault for the next requests that fit. */
export interface SolverFaultOrder {
  /** `*` for any. */
  readonly endpoint: SolverEndpoint | '*';
  readonly fault: SolverFault;
  /** How many requests it strikes. @default 1 */
  readonly times?: number | undefined;
}
