import { UpstreamAnswered, UpstreamUnreachable } from './errors.js';

/**
 * Rules for repeating idempotent requests: after a broken connection, and after a reply of an
 * upstream that is busy or restarting.
 */
export interface RetryOptions {
  /** Maximum number of requests for one call, including the first. */
  readonly maxAttempts: number;
  /**
   * Upper bound of the first wait in ms; it doubles with each further one. The wait is random below
   * its bound.
   * @default 200
   */
  readonly firstDelayMs?: number;
  /**
   * Longest wait in ms. The request is not repeated if Retry-After exceeds it.
   * @default 2_000
   */
  readonly maxDelayMs?: number;
}

/**
 * Statuses of a busy upstream: too many requests, and a gateway that can't reach its server. 500 is
 * not included, because it would recur.
 */
const BUSY = new Set([429, 502, 503, 504]);

/**
 * Returns the wait in ms before the next request, or undefined if there must be none. `attempt` is
 * the number of requests sent, from 1.
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  options: RetryOptions | undefined,
): number | undefined {
  const broken = error instanceof UpstreamUnreachable;
  // It is normal that the other side has just closed a kept-alive connection; it indicates no
  // fault.
  if (options === undefined) return broken && attempt === 1 ? 0 : undefined;

  const { maxAttempts, firstDelayMs = 200, maxDelayMs = 2_000 } = options;
  if (attempt >= maxAttempts) return undefined;
  const jitterMs = Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  if (broken) return jitterMs;
  if (!(error instanceof UpstreamAnswered) || !BUSY.has(error.status)) return undefined;
  if (error.retryAfterSeconds === undefined) return jitterMs;
  const askedMs = error.retryAfterSeconds * 1_000;
  return askedMs > maxDelayMs ? undefined : askedMs;
}
