import type { Felt } from '@sotto/kernel';
import { isLandable, type Attempt, type ExecutionStatus, type TransactionRow } from './rows.js';

/** Response to a caller about an attempt, derived from the attempt's current rows. */
export type SubmissionAnswer =
  | {
      readonly kind: 'executed';
      readonly attempt: Attempt;
      readonly transactionHash: Felt;
      readonly execution: ExecutionStatus;
      readonly revertReason: string | null;
      /**
       * Finality of the result. A rollback often undoes PRE_CONFIRMED, very rarely ACCEPTED_ON_L2,
       * and never ACCEPTED_ON_L1.
       */
      readonly finality: 'PRE_CONFIRMED' | 'ACCEPTED_ON_L2' | 'ACCEPTED_ON_L1';
    }
  /**
   * UNKNOWN: the call may be on chain already, may still land, or may never land. `transactionHash`
   * is the newest one signed for it; null if there is none.
   */
  | { readonly kind: 'pending'; readonly attempt: Attempt; readonly transactionHash: Felt | null }
  /** No transaction of it is or can be on chain. */
  | {
      readonly kind: 'rejected';
      readonly attempt: Attempt;
      readonly state: 'refused' | 'expired';
      readonly code: string;
    };

/**
 * Earliest time at which an execution is reported to the caller: `preconfirmed` when a
 * pre-confirmed block shows it, `accepted_on_l2` when the ledger has ended the attempt.
 */
export type AnswerAt = 'preconfirmed' | 'accepted_on_l2';

/**
 * Degrees to which an outcome is certain, in ascending order:
 *
 * - `received`: the attempt is accepted or broadcast, and no execution is reported.
 * - `preconfirmed`: a pre-confirmed block shows the execution. A rollback often undoes it.
 * - `accepted`: the attempt has succeeded or reverted, and evidence confirms the execution's block
 *   at ACCEPTED_ON_L2. A rollback undoes it very rarely.
 * - `settled`: evidence shows this block at ACCEPTED_ON_L1, or the block is older than the horizon;
 *   or the attempt was refused or has expired, so no transaction of it is or can be on chain.
 */
export const PROGRESS = ['received', 'preconfirmed', 'accepted', 'settled'] as const;
export type Progress = (typeof PROGRESS)[number];

const PROGRESS_AT = {
  PRE_CONFIRMED: 'preconfirmed',
  ACCEPTED_ON_L2: 'accepted',
  ACCEPTED_ON_L1: 'settled',
} as const;

/** Returns the degree to which an outcome is certain. */
export function progressOf(answer: SubmissionAnswer): Progress {
  switch (answer.kind) {
    case 'pending':
      return 'received';
    case 'executed':
      return PROGRESS_AT[answer.finality];
    case 'rejected':
      return 'settled';
  }
}

/**
 * Returns the outcome of an attempt that its rows prove.
 * @param transactions transactions of this attempt, oldest first
 */
export function outcomeOf(
  attempt: Attempt,
  transactions: readonly TransactionRow[],
  answerAt: AnswerAt,
): SubmissionAnswer {
  const landable = transactions.filter(isLandable);
  switch (attempt.state) {
    case 'succeeded':
    case 'reverted':
      return {
        kind: 'executed',
        attempt,
        transactionHash: settledHash(attempt),
        execution: attempt.state === 'succeeded' ? 'SUCCEEDED' : 'REVERTED',
        revertReason: attempt.revertReason,
        finality: attempt.isFinal ? 'ACCEPTED_ON_L1' : 'ACCEPTED_ON_L2',
      };
    case 'refused':
    case 'expired':
      return {
        kind: 'rejected',
        attempt,
        state: attempt.state,
        code: attempt.rejectionCode ?? 'UNKNOWN_REASON',
      };
    case 'accepted':
    case 'broadcast': {
      const shown =
        answerAt === 'preconfirmed' ? landable.find(({ seen }) => seen !== null) : undefined;
      if (shown?.seen) {
        const { execution, revertReason } = shown.seen;
        return {
          kind: 'executed',
          attempt,
          transactionHash: shown.hash,
          execution,
          revertReason,
          finality: 'PRE_CONFIRMED',
        };
      }
      return { kind: 'pending', attempt, transactionHash: landable.at(-1)?.hash ?? null };
    }
  }
}

function settledHash({ transactionHash }: Attempt): Felt {
  if (transactionHash === null) throw new Error('an executed attempt has no transaction hash');
  return transactionHash;
}
