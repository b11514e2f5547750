import { UpstreamAnswered, UpstreamUnreachable } from './errors.js';

/**
 * Rules for retrying idempotent requests. A request is retried after a broken connection, or after
 * a response which shows that the upstream is busy or restarting.
 */
export interface RetryOptions {
  /** Maximum number of requests of one call, including the first request. */
  readonly maxAttempts: number;
  /**
   * Maximum of the first delay in ms. The maximum doubles with each delay. Each delay is a random
   * time below its maximum.
   * @default 200
   */
  readonly firstDelayMs?: number;
  /**
   * Longest delay in ms. The request is not retried if Retry-After exceeds this time.
   * @default 2_000
   */
  readonly maxDelayMs?: number;
}

/**
 * Statuses of a busy upstream: too many requests, or a gateway that can't reach its server. Status
 * 500 is not included, because a retry would probably get the same status.
 */
const BUSY = new Set([429, 502, 503, 504]);

/**
 * Returns the delay in ms before the next request. Undefined if no request must follow. `attempt`
 * is the number of requests sent, starting at 1.
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  options: RetryOptions | undefined,
): number | undefined {
  const broken = error instanceof UpstreamUnreachable;
  // A server may close a kept-alive connection just before a request arrives. This is normal and
  // indicates no fault.
  if (options === undefined) return broken && attempt === 1 ? 0 : undefined;

  const { maxAttempts, firstDelayMs = 200, maxDelayMs = 2_000 } = options;
  if (attempt >= maxAttempts) return undefined;
  const jitterMs = Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  if (broken) return jitterMs;
  if (!(error instanceof UpstreamAnswered) || !BUSY.has(error.status)) return undefined;
  if (error.retryAfterSeconds === undefined) return jitterMs;
  const requestedMs = error.retryAfterSeconds * 1_000;
  return requestedMs > maxDelayMs ? undefined : requestedMs;
}
