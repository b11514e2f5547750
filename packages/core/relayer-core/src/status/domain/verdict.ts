import type { ReasonCode } from '@sotto/facts';
import type { ErrorDetails, Felt } from '@sotto/kernel';

/** Reason why withdrawals are blocked, or why there is a warning. */
export interface Reason {
  readonly code: ReasonCode;
  /** Component that reported the reason, such as `store`, `head`, `lanes`. */
  readonly component: string;
  /** Details for the log and the operator, without private data. */
  readonly details: ErrorDetails;
  /** Time at which the reason was first found, in Unix milliseconds. */
  readonly sinceMs: number;
}

export interface VerdictOnPool {
  /** Name of the pool in the profile. */
  readonly key: string;
  readonly address: Felt;
  /** True if neither the pool nor the instance has a blocking reason. */
  readonly canWithdraw: boolean;
  /** Reasons that block only this pool. */
  readonly reasons: readonly Reason[];
}

/** Decides for the instance and each pool whether a withdrawal can succeed now. */
export interface Verdict {
  /**
   * Time of the last check of all parts, in Unix milliseconds. If a part timed out, its result is
   * that of an earlier check.
   */
  readonly asOfMs: number;
  /** Reasons that block all pools of this instance. */
  readonly reasons: readonly Reason[];
  readonly pools: readonly VerdictOnPool[];
  /** Problems that block no withdrawal, because another resource replaces the one that failed. */
  readonly warnings: readonly Reason[];
}

/** Problem that one check of a part found. */
export interface Obstacle {
  readonly code: ReasonCode;
  /**
   * Pool that the problem blocks. @default the whole instance or all pools, depending on the part's
   * scope
   */
  readonly pool?: Felt;
  readonly details?: ErrorDetails;
}

/** Condition that must be met for withdrawals to succeed, with its check. */
export interface VerdictPart {
  /** Name of the check in the readiness report. */
  readonly component: string;
  /**
   * Effect of a problem.
   * - `instance`: makes this process unready.
   * - `pools`: blocks pools in the verdict. Problems of this scope never make the process unready,
   *   because callers or a single pool can cause them.
   * - `warning`: a redundant resource is missing or a clock is wrong. If the problem blocks a
   *   function of the service, that function also reports the problem.
   */
  readonly scope: 'instance' | 'pools' | 'warning';
  /** Reason to report if a check rejects with a `DomainError`. */
  readonly failure: ReasonCode;
  /**
   * Minimum time between a check that found no problem and the next check, in milliseconds.
   * @default checked at every refresh
   */
  readonly everyMs?: number;
  /** Checks the condition. The result is empty if the check found no problem. */
  poll(): Promise<readonly Obstacle[]>;
}
