import { STEP_NAMES, isCompleted, type StepName, type Transfer } from './transfer.js';

export type StepStatus = 'pending' | 'processing' | 'completed' | 'failed';

export interface StepReport {
  readonly step: StepName;
  readonly status: StepStatus;
  /** Unix seconds; null until the step completes. */
  readonly timestampSeconds: number | null;
  readonly txHash: string | null;
}

/** The status of a transfer that callers get. */
export interface TransferStatus {
  /**
   * `completed` once the recipient has the funds, else `processing`: the specification has no
   * further value. A failed transfer is never `completed`, so no caller takes it for delivered; its
   * failed step and `refund` distinguish it from one under way.
   */
  readonly status: 'processing' | 'completed';
  /** All five, in order. */
  readonly steps: readonly StepReport[];
  /**
   * Of a failed transfer, else null. Funds go back to the source chain by themselves, without the
   * gas, within 1 to 24 hours (spec, "Limits").
   */
  readonly refund: 'expected' | 'refunded' | null;
  /**
   * What arrived, in the protocol's own words; null until then, or when the protocol did not report
   * it.
   */
  readonly outputAmount: string | null;
}

export function reportTransfer(transfer: Transfer): TransferStatus {
  return {
    status: isCompleted(transfer) ? 'completed' : 'processing',
    steps: STEP_NAMES.map((step, index) => reportStep(transfer, step, index)),
    refund: transfer.next === 'failed' ? (transfer.refunded ? 'refunded' : 'expected') : null,
    outputAmount: transfer.outputAmount,
  };
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
