import type { Attempt } from './rows.js';

/** Code of an attempt that was not included up to the last block in which it can succeed. */
export const DEADLINE_BLOCK_PASSED = 'DEADLINE_BLOCK_PASSED';

/**
 * Number of blocks that a transaction may need until it is included. A call with fewer blocks left
 * is not signed any more.
 */
const MARGIN_BLOCKS = 5;

type WithDeadline = Pick<Attempt, 'deadlineBlock'>;

/**
 * Blocks in which a call can still succeed. `enough`: a transaction that is signed now should be
 * included in time. `few`: it may be included too late. `none`: every transaction that is included
 * from now on reverts.
 */
export type BlocksLeft = 'enough' | 'few' | 'none';

/**
 * Returns the blocks that are left after a head. A rollback may increase them again, so they end
 * only attempts of which nothing was signed.
 */
export function blocksLeft({ deadlineBlock }: WithDeadline, headNumber: number): BlocksLeft {
  if (deadlineBlock === null) return 'enough';
  const left = deadlineBlock - headNumber;
  if (left <= 0) return 'none';
  return left <= MARGIN_BLOCKS ? 'few' : 'enough';
}

/** True if the newer call has its last block before the last block of the current call. */
export function endsEarlier(newer: WithDeadline, current: WithDeadline): boolean {
  return (newer.deadlineBlock ?? Infinity) < (current.deadlineBlock ?? Infinity);
}
