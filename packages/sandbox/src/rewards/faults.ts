/**
 * What goes wrong with a request, on purpose.
 *
 * - `refuse`: answered with this status and a JSON error.
 * - `rate-limited`: HTTP 429 in plain text, with a Retry-After header when seconds are given.
 * - `html`: an HTML page, by default with HTTP 502.
 * - `answer`: HTTP 200 and any body.
 * - `late`: answered, after `delayMs`.
 * - `cut`: the connection breaks without an answer.
 */
export type RewardsFault =
  | { readonly kind: 'refuse'; readonly status: number }
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'html'; readonly status?: number | undefined }
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'late'; readonly delayMs: number }
  | { readonly kind: 'cut' };

/** A fault for the next requests. */
export interface RewardsFaultOrder {
  readonly fault: RewardsFault;
  /** How many requests it strikes. @default 1 */
  readonly times?: number | undefined;
}
