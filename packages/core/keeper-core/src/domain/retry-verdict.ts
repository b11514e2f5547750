import type { SkipReason } from '@sotto/facts';
import { isLive, type Attempt } from '@sotto/submission-core';

export interface RetryPolicy {
  /** The wait after the first failure, in milliseconds; 60,000 serves. */
  readonly baseMs: number;
  /** After so many failures in a row nothing is tried until an operator resumes it; 5 serves. */
  readonly maxFailures: number;
}

/** The latest moment that a `Date` holds. */
const LATEST_MS = 8_640_000_000_000_000;

/**
 * Whether the last attempt of a key forbids another one now; null when it does not. A key takes no
 * more attempts once one has succeeded, so the number of the last attempt is the number of failures
 * in a row: the wait is `baseMs` after the first one and doubles with each.
 *
 * Failures up to `resumedAtMs` do not count. How many of the attempts before the last one ended
 * later is not known, so that a failure after the resume counts with all those before it: a resume
 * gives one try at once, and `FAILED_TOO_OFTEN` comes back when that one fails too.
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
