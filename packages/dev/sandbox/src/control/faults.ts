import type { Json } from '../json.js';

/**
 * What goes wrong with a request, on purpose.
 *
 * - `drop-before`: the connection breaks, nothing is executed.
 * - `accept-and-drop-answer`: the request is executed, then the connection breaks.
 * - `answer-late`: executed at once, answered after `delayMs`.
 * - `arrive-late`: executed and answered after `delayMs`, as a request that was long on its way.
 * - `refuse`: not executed, answered with an RPC error; with a known code `message` may be left
 *   out.
 * - `html`: not executed, answered with HTTP 502 and an HTML page.
 * - `rate-limited`: not executed, answered with HTTP 429, with a Retry-After header when seconds
 *   are given.
 */
export type Fault =
  | { readonly kind: 'drop-before' }
  | { readonly kind: 'accept-and-drop-answer' }
  | { readonly kind: 'answer-late'; readonly delayMs: number }
  | { readonly kind: 'arrive-late'; readonly delayMs: number }
  | {
      readonly kind: 'refuse';
      readonly code: number;
      readonly message?: string | undefined;
      readonly data?: Json | undefined;
    }
  | { readonly kind: 'html' }
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds?: number | undefined };

/** A fault for the next requests that fit. */
export interface FaultOrder {
  /** An RPC method's name, or `*` for any. */
  readonly method: string;
  readonly fault: Fault;
  /** How many HTTP requests it strikes. @default 1 */
  readonly times?: number | undefined;
}
