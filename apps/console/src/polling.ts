import type { Failure } from './service.js';

/** Status while the page is seen: 12 of the 120 requests of a minute. */
export const STATUS_EVERY_MS = 5_000;
/** And while it is not: its title shows the verdict. */
const HIDDEN_EVERY_MS = 20_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * How long until the next question. A refusal for too many requests waits as long as it says, and
 * each further one twice as long at least; what does not answer is asked at the usual pace, so that
 * its return is seen at once.
 * @param refusals for too many requests, in a row
 */
export function waitMs(failure: Failure | null, refusals: number, isSeen: boolean): number {
  const usual = isSeen ? STATUS_EVERY_MS : HIDDEN_EVERY_MS;
  if (failure?.httpStatus !== TOO_MANY) return usual;
  const doubled = Math.min(LONGEST_WAIT_MS, STATUS_EVERY_MS * 2 ** refusals);
  return Math.max(usual, failure.retryAfterMs ?? 0, doubled);
}

export const TOO_MANY = 429;
