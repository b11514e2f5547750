import type { StepName } from './step-names.js';

/** Detail of one step that a protocol reports in addition to its status. */
export interface StepDetail {
  /** Unix seconds. */
  readonly completedAtSeconds?: number | undefined;
  readonly txHash?: string | undefined;
}

/** An amount in whole tokens, as a protocol reports it. */
export interface ReportedAmount {
  /** Decimal digits with at most one point. */
  readonly tokens: string;
  /** Null if the protocol does not name it. */
  readonly symbol: string | null;
}

/**
 * Status of a transfer as a protocol reports it at one moment. It may be late, coarse, or
 * contradict an earlier one, and its words may be wrong: {@link judge} compares them with the
 * evidence.
 */
export interface TransferStatusReport {
  /** Steps that are done by the protocol's words, 0 to 5. */
  readonly completedSteps: number;
  /** The step after those. `failed` means: whichever step was under way. */
  readonly next: 'pending' | 'processing' | 'failed';
  readonly refunded: boolean;
  /** Amount that the recipient got, or will get. */
  readonly output?: ReportedAmount | undefined;
  /** Amount that arrived at the deposit address. */
  readonly deposited?: ReportedAmount | undefined;
  /** Amount that went back to the refund address. */
  readonly refund?: ReportedAmount | undefined;
  /** Less than the quoted amount has arrived. */
  readonly isDepositIncomplete?: boolean | undefined;
  /** Bounded text of the protocol about a failure or a refund. */
  readonly reasonText?: string | undefined;
  /** Unix seconds after which nothing may be sent any more. */
  readonly deadlineSeconds?: number | undefined;
  readonly details: Readonly<Partial<Record<StepName, StepDetail>>>;
}
