import type { SottoError } from '@sotto/client';

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const FIRST_CLIENT_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

/**
 * Codes of the error catalogue that are always conclusive, even with a status of 429 or 5xx. Before
 * the relayer returns such a code, it searches for a submission of the request. The relayer has
 * found none and accepted none, so the request can't land. For private swaps, such a code concerns
 * only this attempt; if an earlier attempt was sent, the chain shows its outcome.
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

/**
 * Codes that concern a different submission of the same note, or a request sent to the wrong
 * relayer.
 */
const OF_ANOTHER: ReadonlySet<string> = new Set([
  'DEPOSIT_EXISTS',
  'DEPOSIT_IN_PROGRESS',
  'NULLIFIER_SPENT',
  'SUBMISSION_NOT_FOUND',
  'WITHDRAWAL_IN_PROGRESS',
  'WITHDRAWAL_NOT_FOUND',
]);

/**
 * Returns true if the response proves that the request is not on chain and can't land. If there is
 * any doubt, the result is false, because then no second relayer may receive the request.
 */
export function isConclusive(status: number, { code }: Pick<SottoError, 'code'>): boolean {
  const name = String(code);
  if (NOT_ACCEPTED.has(name)) return true;
  if (OF_ANOTHER.has(name) || status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS)
    return false;
  return status >= FIRST_CLIENT_ERROR && status < FIRST_SERVER_ERROR;
}
