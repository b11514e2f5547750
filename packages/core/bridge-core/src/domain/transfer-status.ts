import type { TransferAmounts } from './judge-report.js';
import type { QuotedTerms } from './quoted-terms.js';
import { STEP_NAMES, type StepName } from './step-names.js';
import { isCompleted, isUntouched, type Transfer } from './transfer.js';

export type StepStatus = 'pending' | 'processing' | 'completed' | 'failed';

export interface StepReport {
  readonly step: StepName;
  readonly status: StepStatus;
  /** Completion time in Unix seconds; null until the step completes. */
  readonly timestampSeconds: number | null;
  readonly txHash: string | null;
}

/**
 * Reason why a transfer does not advance.
 *
 * - `unconfirmed`: the protocol reports a delivery without evidence.
 * - `deposit_incomplete`: less than the quoted amount has arrived at the deposit address.
 * - `deposit_expired`: the deadline passed before the deposit was complete. The caller must not
 *   send more funds.
 */
export type TransferReason = 'unconfirmed' | 'deposit_incomplete' | 'deposit_expired';

/** Status of a transfer, as returned to callers. */
export interface TransferStatus {
  /**
   * `completed` once the recipient has the funds, otherwise `processing`: the specification has no
   * other values. A failed transfer is never `completed`, so no caller can mistake a failed
   * transfer for a delivered one. The failed step and `refund` distinguish a failed transfer from a
   * transfer in progress.
   */
  readonly status: 'processing' | 'completed';
  /** All five steps, in order of execution. */
  readonly steps: readonly StepReport[];
  /**
   * State of the refund of a failed transfer; null for a transfer that has not failed. The funds
   * return to the source chain automatically within 1 to 24 hours, reduced by the gas fee
   * (specification, "Limits").
   */
  readonly refund: 'expected' | 'refunded' | null;
  readonly reason: TransferReason | null;
  /** Text of limited length in which the protocol explains a failure or a refund. */
  readonly reasonText: string | null;
  /** Amounts of the transfer, formatted with their units. */
  readonly amounts: TransferAmounts;
  /** Deadline of the deposit in Unix seconds; null if unknown. */
  readonly deadlineSeconds: number | null;
  /**
   * Terms of the transfer's quote; null if this service did not quote the transfer, or no longer
   * stores the terms.
   */
  readonly terms: QuotedTerms | null;
}

/**
 * @param reportedDeadlineSeconds deadline in the latest response of the protocol, in Unix seconds;
 *   null if the response has no deadline
 */
export function reportTransfer(
  transfer: Transfer,
  nowSeconds: number,
  reportedDeadlineSeconds: number | null = null,
): TransferStatus {
  const { terms, amounts, reasonText } = transfer;
  const deadlineSeconds = earlier(terms?.deadlineSeconds ?? null, reportedDeadlineSeconds);
  const isExpired = deadlineSeconds !== null && deadlineSeconds <= nowSeconds;
  const reason = reasonOf(transfer, isExpired);
  return {
    status: isCompleted(transfer) ? 'completed' : 'processing',
    steps: STEP_NAMES.map((step, index) => reportStep(transfer, step, index)),
    refund: transfer.next === 'failed' ? (transfer.refunded ? 'refunded' : 'expected') : null,
    reason,
    reasonText,
    // Report no missing amount after the deadline: funds that the caller sends now would arrive too
    // late.
    amounts: reason === 'deposit_expired' ? { ...amounts, missing: null } : amounts,
    deadlineSeconds,
    terms,
  };
}

function reasonOf(transfer: Transfer, isExpired: boolean): TransferReason | null {
  if (transfer.unconfirmedSinceSeconds !== null) return 'unconfirmed';
  const { isDepositIncomplete } = transfer;
  if (isExpired && (isDepositIncomplete || isUntouched(transfer))) return 'deposit_expired';
  return isDepositIncomplete ? 'deposit_incomplete' : null;
}

/** Returns the earlier of two times. If one time is null, returns the other time. */
export function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function reportStep(
  { completedAtSeconds, next, txHashes }: Transfer,
  step: StepName,
  index: number,
): StepReport {
  const done = completedAtSeconds.length;
  const status = index < done ? 'completed' : index === done ? next : 'pending';
  return {
    step,
    status,
    timestampSeconds: completedAtSeconds[index] ?? null,
    txHash: status === 'pending' ? null : (txHashes[step] ?? null),
  };
}
