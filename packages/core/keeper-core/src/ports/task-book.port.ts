import type { TaskName } from '@sotto/facts';
import type { Felt } from '@sotto/kernel';
import type { TaskReport } from './keeper-task.js';

/** Operator's command for a task, or for one of its subjects. */
export interface TaskControl {
  readonly task: TaskName;
  /** Null for the whole task. */
  readonly subject: string | null;
  /** Null while it is not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /** Failures before this time do not count; 0 if it was never resumed. */
  readonly resumedAtMs: number;
}

export interface LastActed {
  readonly atMs: number;
  readonly submissionId: string;
  /**
   * True once the submission was executed on chain, successfully or not: from then on its terms are
   * public.
   */
  readonly isSettled: boolean;
}

/** Last check of a subject, by any instance. */
export interface TaskLook {
  readonly task: TaskName;
  readonly subject: string;
  readonly atMs: number;
  readonly report: TaskReport;
  /** Start of the series of checks with this outcome: acted, or skipped for this reason. */
  readonly sinceMs: number;
  /** Last check that made a submission; null if there was none. */
  readonly lastActed: LastActed | null;
}

/** Fees in one token, in its smallest unit. */
export interface EarnedFee {
  readonly token: Felt;
  readonly amount: bigint;
}

/** Gas and fees of a task's submissions. */
export interface TaskSpending {
  /** Charged gas of the transactions that ended since the given time, in fri. */
  readonly spentFri: bigint;
  /** Maximum gas of live submissions, in units of L2 gas. */
  readonly liveL2Gas: bigint;
  /**
   * Minimum fees of the submissions that succeeded since the given time; one per token, ordered by
   * address.
   */
  readonly earned: readonly EarnedFee[];
}

/** Stores the state of tasks in addition to their submissions. Rejects with `LedgerUnavailable`. */
export abstract class TaskBook {
  /** Returns one control for each task and subject that was ever paused or resumed. */
  abstract controls(): Promise<readonly TaskControl[]>;
  /**
   * Pauses a subject, or with null the whole task. If it is already paused, the reason is replaced
   * and the start of the pause remains.
   */
  abstract pause(task: TaskName, subject: string | null, reason: string): Promise<void>;
  /** Ends the pause of exactly this, and counts failures only from now on. */
  abstract resume(task: TaskName, subject: string | null): Promise<void>;
  /** Returns the last check of each subject that was checked within the last day. */
  abstract looks(): Promise<readonly TaskLook[]>;
  /**
   * Replaces the subject's last report.
   * @param lastedMs duration of the condition, if the last report had another outcome; an integer
   *   @default 0
   */
  abstract note(
    task: TaskName,
    subject: string,
    report: TaskReport,
    lastedMs?: number,
  ): Promise<void>;
  /**
   * Deletes checks of subjects that were not checked within `ageMs`: they are gone, or the task is
   * off. Deletes the oldest first, at most this number.
   * @returns the number of deleted checks
   */
  abstract forget(ageMs: number, most: number): Promise<number>;
  /** Returns gas and fees of attempts of these kinds since the given time, by the store's clock. */
  abstract spending(kinds: readonly string[], sinceMs: number): Promise<TaskSpending>;
}
