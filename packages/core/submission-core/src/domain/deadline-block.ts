import type { Attempt } from './rows.js';

/** Code of an attempt that was not included up to the last block in which it can succeed. */
export const DEADLINE_BLOCK_PASSED = 'DEADLINE_BLOCK_PASSED';

/**
 * Number of blocks that a transaction may need until it is included. A call whose last block is
 * nearer is not signed any more.
 */
const MARGIN_BLOCKS = 5;

type WithDeadline = Pick<Attempt, 'deadlineBlock'>;

/**
 * True if no transaction that is included after this head can succeed. A rollback may make this
 * false again, so it ends only attempts of which nothing was signed.
 */
export function isBlockDeadlinePassed({ deadlineBlock }: WithDeadline, headNumber: number): boolean {
  return deadlineBlock !== null && headNumber >= deadlineBlock;
}

/** True if a transaction that is signed at this head may be included too late. */
export function isTooLateToSign({ deadlineBlock }: WithDeadline, headNumber: number): boolean {
  return deadlineBlock !== null && headNumber + MARGIN_BLOCKS >= deadlineBlock;
}
