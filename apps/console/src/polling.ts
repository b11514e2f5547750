import type { Failure } from './service.js';

/**
 * Interval in ms of status requests while the page is visible: 12 of the 120 requests that a minute
 * allows.
 */
export const STATUS_EVERY_MS = 5_000;
/**
 * Interval in ms of status requests while the page is hidden. The tab's title still displays the
 * verdict.
 */
const HIDDEN_EVERY_MS = 20_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Returns the time in ms until the next status request. After a 429 the time is at least the delay
 * that the service requires, and it doubles with each consecutive 429. If the service can't be
 * reached, the usual interval is used, so that its recovery is noticed soon.
 * @param rejections number of consecutive responses with status 429
 */
export function waitMs(failure: Failure | null, rejections: number, isSeen: boolean): number {
  const usual = isSeen ? STATUS_EVERY_MS : HIDDEN_EVERY_MS;
  if (failure?.httpStatus !== TOO_MANY) return usual;
  const doubled = Math.min(LONGEST_WAIT_MS, STATUS_EVERY_MS * 2 ** rejections);
  return Math.max(usual, failure.retryAfterMs ?? 0, doubled);
}

export const TOO_MANY = 429;
