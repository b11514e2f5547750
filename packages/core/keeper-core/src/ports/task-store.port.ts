import type { TaskName } from '@sotto/facts';
import type { Felt } from '@sotto/kernel';
import type { TaskReport } from './keeper-task.js';

/** The operator's last command for a task, or for one of its subjects. */
export interface TaskControl {
  readonly task: TaskName;
  /** Subject of the command; null for the whole task. */
  readonly subject: string | null;
  /** Reason and start of the pause; null while the task or subject is not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /**
   * Time of the last resume in Unix milliseconds; 0 if the task or subject was never resumed.
   * Failures before this time are ignored.
   */
  readonly resumedAtMs: number;
}

export interface LastActed {
  readonly atMs: number;
  readonly submissionId: string;
  /**
   * True if the submission was executed on chain, successfully or not. From the execution on, the
   * submission's terms are public.
   */
  readonly isSettled: boolean;
}

/** Last check of a subject, made by any instance. */
export interface TaskPoll {
  readonly task: TaskName;
  readonly subject: string;
  readonly atMs: number;
  readonly report: TaskReport;
  /**
   * Time of the first of the consecutive checks that had the present outcome: the check acted, or
   * it skipped for the present reason.
   */
  readonly sinceMs: number;
  /** Last check that created a submission; null if no check has created one. */
  readonly lastActed: LastActed | null;
}

/** Fees in one ERC-20 token, in the token's smallest unit. */
export interface EarnedFee {
  readonly token: Felt;
  readonly amount: bigint;
}

/** Gas costs and earned fees of a task's submissions. */
export interface TaskSpending {
  /** Charged gas of the transactions that ended after the time `sinceMs`, in fri. */
  readonly spentFri: bigint;
  /** Maximum gas of submissions that have not ended, in units of L2 gas. */
  readonly liveL2Gas: bigint;
  /**
   * Minimum fees of the submissions that succeeded after the time `sinceMs`. One entry per ERC-20
   * token, ordered by the token's address.
   */
  readonly earned: readonly EarnedFee[];
}

/**
 * Stores those parts of a task's state that are not in its submissions. Methods reject with
 * `LedgerUnavailable`.
 */
export abstract class TaskStore {
  /** Returns one control for each task and subject that was ever paused or resumed. */
  abstract controls(): Promise<readonly TaskControl[]>;
  /**
   * Pauses a subject, or the whole task if `subject` is null. If the subject or task is already
   * paused, the reason is replaced and the start of the pause does not change.
   */
  abstract pause(task: TaskName, subject: string | null, reason: string): Promise<void>;
  /**
   * Ends the pause of exactly this task or subject. After the resume, failures before this time are
   * ignored.
   */
  abstract resume(task: TaskName, subject: string | null): Promise<void>;
  /** Returns the last check of each subject that was checked within the last day. */
  abstract looks(): Promise<readonly TaskPoll[]>;
  /**
   * Replaces the subject's last report.
   * @param lastedMs time in milliseconds for which the condition has already existed, an integer;
   *   used only if the last report had another outcome @default 0
   */
  abstract note(
    task: TaskName,
    subject: string,
    report: TaskReport,
    lastedMs?: number,
  ): Promise<void>;
  /**
   * Deletes the records of subjects that were not checked within `ageMs`, because the subjects no
   * longer exist or the task is off. Deletes the oldest records first, at most `most` of them.
   * @returns the number of deleted records
   */
  abstract forget(ageMs: number, most: number): Promise<number>;
  /**
   * Returns gas and fees of attempts of the given kinds that ended after the time `sinceMs`, by the
   * store's clock, and the gas of attempts that have not ended.
   */
  abstract spending(kinds: readonly string[], sinceMs: number): Promise<TaskSpending>;
}
