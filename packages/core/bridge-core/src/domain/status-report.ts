import type { StepName } from './step-names.js';

/** Detail of one step that a protocol reports in addition to its status. */
export interface StepDetail {
  /** Unix seconds. */
  readonly completedAtSeconds?: number | undefined;
  readonly txHash?: string | undefined;
}

/** An amount in whole tokens, as reported by a protocol. */
export interface ReportedAmount {
  /** Decimal digits with at most one point. */
  readonly tokens: string;
  /** Null if the protocol does not name it. */
  readonly symbol: string | null;
}

/**
 * Status of a transfer, as reported by a protocol at one moment. Reports may be late, coarse,
 * contradictory or wrong: {@link judge} compares them with the evidence.
 */
export interface TransferStatusReport {
  /** Number of completed steps by the protocol's claim, 0 to 5. */
  readonly completedSteps: number;
  /** State of the step after those. `failed` means that the step in progress has failed. */
  readonly next: 'pending' | 'processing' | 'failed';
  readonly refunded: boolean;
  /** Amount that the recipient has received, or will receive. */
  readonly output?: ReportedAmount | undefined;
  /** Amount that arrived at the deposit address. */
  readonly deposited?: ReportedAmount | undefined;
  /** Amount that went back to the refund address. */
  readonly refund?: ReportedAmount | undefined;
  /** True if less than the quoted amount has arrived. */
  readonly isDepositIncomplete?: boolean | undefined;
  /** Bounded text of the protocol about a failure or a refund. */
  readonly reasonText?: string | undefined;
  /** Deadline of the deposit in Unix seconds. */
  readonly deadlineSeconds?: number | undefined;
  readonly details: Readonly<Partial<Record<StepName, StepDetail>>>;
}
