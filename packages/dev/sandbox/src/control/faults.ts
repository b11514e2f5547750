import type { Json } from '../json.js';

/**
 * Fault injected into a request.
 *
 * - `drop-before`: the connection breaks, nothing is executed.
 * - `accept-and-drop-answer`: the request is executed, then the connection breaks.
 * - `answer-late`: executed at once, answered after `delayMs`.
 * - `arrive-late`: executed and answered after `delayMs`, like a request with a slow network path.
 * - `refuse`: not executed, answered with an RPC error; `message` may be omitted for a known code.
 * - `html`: not executed, answered with HTTP 502 and an HTML page.
 * - `rate-limited`: not executed, answered with HTTP 429, with a Retry-After header if seconds are
 *   given.
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

/** Fault for the next matching requests. */
export interface FaultOrder {
  /** An RPC method's name, or `*` for any. */
  readonly method: string;
  readonly fault: Fault;
  /** Number of affected HTTP requests. @default 1 */
  readonly times?: number | undefined;
}
