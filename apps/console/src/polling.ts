import type { Failure } from './service.js';

/**
 * Interval in ms of status requests while the page is visible: 12 of the 120 requests of a minute.
 */
export const STATUS_EVERY_MS = 5_000;
/** Interval in ms while the page is hidden: its title still shows the verdict. */
const HIDDEN_EVERY_MS = 20_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Returns the time in ms until the next request. After a rejection for too many requests it waits
 * as required, and at least twice as long after each further one. An unreachable service is polled
 * at the usual interval, so that its return is noticed at once.
 * @param refusals number of consecutive rejections for too many requests
 */
export function waitMs(failure: Failure | null, refusals: number, isSeen: boolean): number {
  const usual = isSeen ? STATUS_EVERY_MS : HIDDEN_EVERY_MS;
  if (failure?.httpStatus !== TOO_MANY) return usual;
  const doubled = Math.min(LONGEST_WAIT_MS, STATUS_EVERY_MS * 2 ** refusals);
  return Math.max(usual, failure.retryAfterMs ?? 0, doubled);
}

export const TOO_MANY = 429;
