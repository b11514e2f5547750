import type { SottoError } from '@sotto/client';

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const FIRST_CLIENT_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

/**
 * Codes of the catalogue after which nothing of the request can land, though their status is 429 or
 * 5xx: the relayer has looked for a submission of it first, and has accepted none. With those of
 * private swaps a try is over; a swap that was sent before shows on the chain.
 */
const NOT_ACCEPTED: ReadonlySet<string> = new Set([
  'AGGREGATOR_MALFORMED',
  'AGGREGATOR_TIMED_OUT',
  'AGGREGATOR_UNAUTHORIZED',
  'AGGREGATOR_UNAVAILABLE',
  'BUDGET_EXHAUSTED',
  'CALLER_BUDGET_EXHAUSTED',
  'DEPOSITOR_TOO_SLOW',
  'DEPOSITS_RATIONED',
  'DEPOSIT_QUEUED',
  'NOTE_SWAPS_SUSPENDED',
  'POOL_PAUSED',
  'PRICE_UNAVAILABLE',
  'PRIVATE_SWAP_DISABLED',
  'QUEUE_FULL',
  'QUOTE_EXPIRED_AT_AGGREGATOR',
  'SUBMISSION_EXPIRED',
  'SWAP_BUILD_REJECTED',
  'SWAP_PINS_INCOMPLETE',
  'WITHDRAWAL_UNPROFITABLE',
]);

/** Codes that speak of another submission of the same note, or of the wrong place to ask. */
const OF_ANOTHER: ReadonlySet<string> = new Set([
  'DEPOSIT_EXISTS',
  'DEPOSIT_IN_PROGRESS',
  'NULLIFIER_SPENT',
  'SUBMISSION_NOT_FOUND',
  'WITHDRAWAL_IN_PROGRESS',
  'WITHDRAWAL_NOT_FOUND',
]);

/**
 * Whether a relayer that answers so has ended the request: nothing of it is or can be on chain.
 * What is not known to be an end counts as no end: another relayer must not be asked then.
 */
export function isConclusive(status: number, { code }: Pick<SottoError, 'code'>): boolean {
  const name = String(code);
  if (NOT_ACCEPTED.has(name)) return true;
  if (OF_ANOTHER.has(name) || status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS)
    return false;
  return status >= FIRST_CLIENT_ERROR && status < FIRST_SERVER_ERROR;
}
