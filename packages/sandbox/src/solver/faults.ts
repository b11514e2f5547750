/** The solver's endpoints; `tokens` only in the shape of 1Click. */
export type SolverEndpoint = 'quote' | 'status' | 'tokens';

/**
 * What goes wrong with a request, on purpose.
 *
 * - `refuse`: answered with a status and the error body of the shape.
 * - `rate-limited`: HTTP 429 in plain text, with a Retry-After header when seconds are given.
 * - `html`: HTTP 502 and an HTML page.
 * - `answer`: HTTP 200 and any body.
 * - `late`: answered, after `delayMs`.
 * - `cut`: the connection breaks without an answer.
 * - `word`: a status whose word is another; other endpoints answer as usual.
 */
export type SolverFault =
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'html' }
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'late'; readonly delayMs: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'word'; readonly word: string };

/** A fault for the next requests that fit. */
export interface SolverFaultOrder {
  /** `*` for any. */
  readonly endpoint: SolverEndpoint | '*';
  readonly fault: SolverFault;
  /** How many requests it strikes. @default 1 */
  readonly times?: number | undefined;
}

/** Faults that wait for their requests, oldest first. */
export class SolverFaultQueue {
  #orders: { readonly order: SolverFaultOrder; readonly left: number }[] = [];

  add(order: SolverFaultOrder): void {
    this.#orders.push({ order, left: order.times ?? 1 });
  }

  clear(): void {
    this.#orders = [];
  }

  /** The fault that strikes a request to this endpoint, undefined for none. It counts as used. */
  take(endpoint: SolverEndpoint): SolverFault | undefined {
    const index = this.#orders.findIndex(({ order }) => order.endpoint === '*' || order.endpoint === endpoint);
    const found = this.#orders[index];
    if (found === undefined) return undefined;
    this.#orders.splice(index, 1, ...(found.left > 1 ? [{ ...found, left: found.left - 1 }] : []));
    return found.order.fault;
  }
}
