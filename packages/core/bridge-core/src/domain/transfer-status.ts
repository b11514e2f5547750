import type { TransferAmounts } from './judge-report.js';
import type { QuotedTerms } from './quoted-terms.js';
import { STEP_NAMES, type StepName } from './step-names.js';
import { isCompleted, isUntouched, type Transfer } from './transfer.js';

export type StepStatus = 'pending' | 'processing' | 'completed' | 'failed';

export interface StepReport {
  readonly step: StepName;
  readonly status: StepStatus;
  /** Unix seconds; null until the step completes. */
  readonly timestampSeconds: number | null;
  readonly txHash: string | null;
}

/**
 * Reason why a transfer is stuck.
 * - `unconfirmed`: the protocol claims a delivery without evidence.
 * - `deposit_incomplete`: less than the quoted amount has arrived.
 * - `deposit_expired`: the deadline passed before the deposit was complete. No further funds may be
 *   sent.
 */
export type TransferReason = 'unconfirmed' | 'deposit_incomplete' | 'deposit_expired';

/** Status of a transfer, as returned to callers. */
export interface TransferStatus {
  /**
   * `completed` once the recipient has the funds, else `processing`: the specification has no
   * further value. A failed transfer is never `completed`, so no caller can mistake it for
   * delivered; its failed step and `refund` distinguish it from one in progress.
   */
  readonly status: 'processing' | 'completed';
  /** All five steps, in order. */
  readonly steps: readonly StepReport[];
  /**
   * State of the refund of a failed transfer, else null. Funds return to the source chain
   * automatically, less the gas, within 1 to 24 hours (spec, "Limits").
   */
  readonly refund: 'expected' | 'refunded' | null;
  readonly reason: TransferReason | null;
  /** Bounded text of the protocol about a failure or a refund. */
  readonly reasonText: string | null;
  /** Amounts with their units. */
  readonly amounts: TransferAmounts;
  /** Deadline of the deposit in Unix seconds; null if unknown. */
  readonly deadlineSeconds: number | null;
  /** Terms of its quote; null if this service did not quote it, or no longer stores it. */
  readonly terms: QuotedTerms | null;
}

/** @param reportedDeadlineSeconds deadline in the protocol's present answer, if it has one */
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
    // The caller must not send the rest, because it would arrive too late.
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

/** Returns the earlier of two times, if known. */
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
