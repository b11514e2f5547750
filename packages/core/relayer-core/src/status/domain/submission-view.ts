import { PROGRESS, progressOf, type Progress, type SubmissionAnswer } from '@sotto/submission-core';
import type { DepositOutcome } from '../../deposits/application/deposit-outcomes.js';
import type { SwapOutcome } from '../../swaps/application/swap-outcomes.js';

/** Submission as its caller sees it: the answer from the ledger and the result in the pool. */
export interface SubmissionView {
  readonly answer: SubmissionAnswer;
  /** Null if the submission is not a private swap. */
  readonly swap: SwapOutcome | null;
  /** Null if the submission is not a deposit. */
  readonly deposit: DepositOutcome | null;
}

/** Returns true if the outcome is known, including the leaf of a swap or a deposit. */
export function isWhole({ answer, swap, deposit }: SubmissionView): boolean {
  const result = deposit ?? swap;
  return answer.kind !== 'pending' && (result === null || result.leafIndex !== null);
}

/** Returns true if the whole outcome is known and is at least as certain as `until`. */
export function hasReached(view: SubmissionView, until: Progress): boolean {
  return isWhole(view) && PROGRESS.indexOf(progressOf(view.answer)) >= PROGRESS.indexOf(until);
}
