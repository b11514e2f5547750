import type { SkipReason } from '@sotto/facts';
import { isLive, type Attempt } from '@sotto/submission-core';

export interface RetryPolicy {
  /** Wait after the first failure, in milliseconds. Suggested value: 60,000. */
  readonly baseMs: number;
  /**
   * Maximum number of consecutive failures. After that many failures, the operator must resume the
   * key. Suggested value: 5.
   */
  readonly maxFailures: number;
}

/** Latest time that a `Date` can represent. */
const LATEST_MS = 8_640_000_000_000_000;

/**
 * Returns the reason if the last attempt of a key forbids another attempt now; otherwise null.
 * After a success, a key gets no more attempts. So the number of the last attempt equals the number
 * of consecutive failures. The wait is `baseMs` after the first failure and doubles with each
 * further failure.
 *
 * Failures up to `resumedAtMs` are ignored. Only the end time of the last attempt is known. So if
 * an attempt fails after the resume, all failures before the resume are counted again. A resume
 * thus allows one immediate attempt, and `FAILED_TOO_OFTEN` returns if this attempt fails too.
 */
export function retryVerdict(
  last: Pick<Attempt, 'state' | 'attempt' | 'endedAtMs'> | null,
  { baseMs, maxFailures }: RetryPolicy,
  resumedAtMs: number,
  nowMs: number,
): { readonly reason: SkipReason; readonly dueAtMs: number | null } | null {
  if (last === null || last.endedAtMs === null) return null;
  if (isLive(last.state) || last.state === 'succeeded') return null;
  if (last.endedAtMs <= resumedAtMs) return null;
  if (last.attempt >= maxFailures) return { reason: 'FAILED_TOO_OFTEN', dueAtMs: null };
  const dueAtMs = Math.min(last.endedAtMs + baseMs * 2 ** (last.attempt - 1), LATEST_MS);
  return nowMs >= dueAtMs ? null : { reason: 'BACKING_OFF', dueAtMs };
}
