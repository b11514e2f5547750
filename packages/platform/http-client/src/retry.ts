import { UpstreamAnswered, UpstreamUnreachable } from './errors.js';

/**
 * How idempotent requests are repeated: after a broken connection, and after an answer of an
 * upstream that is busy or restarting.
 */
export interface RetryOptions {
  /** Most requests on the wire for one call, the first included. */
  readonly maxAttempts: number;
  /**
   * Bound of the first wait; it doubles with each further one. The wait is random below its bound.
   * @default 200
   */
  readonly firstDelayMs?: number;
  /**
   * Longest wait. An upstream whose Retry-After asks for more is not asked again.
   * @default 2_000
   */
  readonly maxDelayMs?: number;
}

/**
 * Too many requests, and what gateways say of a server that they can't reach. 500 is not among
 * them: it would come again.
 */
const BUSY = new Set([429, 502, 503, 504]);

/**
 * How long to wait before the next request, or undefined when there shall be none. `attempt` counts
 * the requests made, from 1.
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  options: RetryOptions | undefined,
): number | undefined {
  const broken = error instanceof UpstreamUnreachable;
  // A kept-alive connection that the other side has just closed is everyday life and no sign of
  // trouble.
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
