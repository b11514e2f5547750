import type { ReasonCode } from '@sotto/facts';
import type { ErrorDetails, Felt } from '@sotto/kernel';

/** Reason why withdrawals are blocked. */
export interface Reason {
  readonly code: ReasonCode;
  /** Part that found it, such as `store`, `head`, `lanes`. */
  readonly component: string;
  /** Details for log and operator. Contains no private data. */
  readonly details: ErrorDetails;
  /** Start time in Unix milliseconds. */
  readonly sinceMs: number;
}

export interface VerdictOnPool {
  /** Name of the pool in the profile. */
  readonly key: string;
  readonly address: Felt;
  /** True if neither the pool nor the instance has a blocking reason. */
  readonly canWithdraw: boolean;
  /** Reasons of this pool only. */
  readonly reasons: readonly Reason[];
}

/** Verdict on whether a withdrawal can succeed now. */
export interface Verdict {
  /**
   * Time of the last check of all parts, in Unix milliseconds. Results of parts that timed out are
   * older.
   */
  readonly asOfMs: number;
  /** Reasons of this instance, which block all pools. */
  readonly reasons: readonly Reason[];
  readonly pools: readonly VerdictOnPool[];
  /** Problems that block no withdrawal, because something else compensates for them. */
  readonly warnings: readonly Reason[];
}

/** Problem that one check of a part found. */
export interface Obstacle {
  readonly code: ReasonCode;
  /** Blocked pool. @default determined by the part's scope */
  readonly pool?: Felt;
  readonly details?: ErrorDetails;
}

/** Condition for withdrawals to succeed. */
export interface VerdictPart {
  /** Name of its check in readiness. */
  readonly component: string;
  /**
   * Effect of a problem.
   * - `instance`: makes this process unready.
   * - `pools`: blocks pools in the verdict and never makes the process unready, because callers or
   *   a single pool can cause it.
   * - `warning`: a spare is missing or a clock is wrong. Blocked functions report separately.
   */
  readonly scope: 'instance' | 'pools' | 'warning';
  /** Reason to report if a check rejects with a `DomainError`. */
  readonly failure: ReasonCode;
  /** Minimum interval after a check without a problem. @default every refresh */
  readonly everyMs?: number;
  /** Checks the part. Empty if there is no problem. */
  look(): Promise<readonly Obstacle[]>;
}
