import type { Json } from '../json.js';

/**
 * Fault of a request.
 *
 * - `drop-before`: the connection breaks before the execution.
 * - `accept-and-drop-answer`: the request is executed, then the connection breaks.
 * - `answer-late`: the request is executed immediately, and the response is sent after `delayMs`.
 * - `arrive-late`: the request is executed after `delayMs`, as on a slow network path.
 * - `refuse`: the request is not executed. The response is an RPC error; `message` may be omitted
 *   for a known code.
 * - `html`: the request is not executed. The response is HTTP 502 with an HTML page.
 * - `rate-limited`: the request is not executed. The response is HTTP 429, with a Retry-After
 *   header if seconds are given.
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

/** Control command that applies a fault to the next matching requests. */
export interface FaultOrder {
  /** Name of an RPC method, or `*` for every method. */
  readonly method: string;
  readonly fault: Fault;
  /** Number of HTTP requests that the fault affects. @default 1 */
  readonly times?: number | undefined;
}
