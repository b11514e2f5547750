import type { StepName } from './step-names.js';

/** Details of one step that a protocol reports in addition to the transfer's status. */
export interface StepDetail {
  /** Time at which the step was completed, in Unix seconds. */
  readonly completedAtSeconds?: number | undefined;
  readonly txHash?: string | undefined;
}

/** An amount in whole tokens, as reported by a protocol. */
export interface ReportedAmount {
  /** Decimal digits with at most one decimal point. */
  readonly tokens: string;
  /** Symbol of the token; null if the protocol does not report the symbol. */
  readonly symbol: string | null;
}

/**
 * Status of a transfer, as reported by a protocol at one moment. Reports may be late, coarse,
 * contradictory or wrong, so {@link judge} compares each report with its evidence.
 */
export interface TransferStatusReport {
  /**
   * Number of completed steps according to the protocol, 0 to 5. The number has not been compared
   * with the evidence yet.
   */
  readonly completedSteps: number;
  /** State of the first step that is not completed. `failed` means that this step has failed. */
  readonly next: 'pending' | 'processing' | 'failed';
  readonly refunded: boolean;
  /** Amount of the output that the recipient has received, or will receive. */
  readonly output?: ReportedAmount | undefined;
  /** Amount that arrived at the deposit address. */
  readonly deposited?: ReportedAmount | undefined;
  /** Amount that was sent to the refund address. */
  readonly refund?: ReportedAmount | undefined;
  /** True if less than the quoted amount has arrived at the deposit address. */
  readonly isDepositIncomplete?: boolean | undefined;
  /** Text of limited length in which the protocol explains a failure or a refund. */
  readonly reasonText?: string | undefined;
  /** Deadline of the deposit in Unix seconds. */
  readonly deadlineSeconds?: number | undefined;
  readonly details: Readonly<Partial<Record<StepName, StepDetail>>>;
}
