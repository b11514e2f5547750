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
   * Time of the last resume in Unix milliseconds; 0 if never resumed. Earlier failures are ignored.
   */
  readonly resumedAtMs: number;
}

export interface LastActed {
  readonly atMs: number;
  readonly submissionId: string;
  /**
   * True once the submission was executed on chain, successfully or not. The submission's terms are
   * public from then on.
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
   * Start of the series of checks with the present outcome: acted, or skipped for the present
   * reason.
   */
  readonly sinceMs: number;
  /** Last check that created a submission; null if no check did. */
  readonly lastActed: LastActed | null;
}

/** Fees in one ERC-20 token, in the token's smallest unit. */
export interface EarnedFee {
  readonly token: Felt;
  readonly amount: bigint;
}

/** Gas costs and earned fees of a task's submissions. */
export interface TaskSpending {
  /** Charged gas of the transactions that ended since the requested time, in fri. */
  readonly spentFri: bigint;
  /** Maximum gas of live submissions, in units of L2 gas. */
  readonly liveL2Gas: bigint;
  /**
   * Minimum fees of the submissions that succeeded since the requested time. One entry per ERC-20
   * token, ordered by the token's address.
   */
  readonly earned: readonly EarnedFee[];
}

/**
 * Stores the state of tasks that is not part of their submissions. Methods reject with
 * `LedgerUnavailable`.
 */
export abstract class TaskStore {
  /** Returns one control for each task and subject that was ever paused or resumed. */
  abstract controls(): Promise<readonly TaskControl[]>;
  /**
   * Pauses a subject, or the whole task if `subject` is null. If it is already paused, the reason
   * is replaced and the start of the pause does not change.
   */
  abstract pause(task: TaskName, subject: string | null, reason: string): Promise<void>;
  /**
   * Ends the pause of exactly this task or subject. Failures before this time are ignored from now
   * on.
   */
  abstract resume(task: TaskName, subject: string | null): Promise<void>;
  /** Returns the last check of each subject that was checked within the last day. */
  abstract looks(): Promise<readonly TaskPoll[]>;
  /**
   * Replaces the subject's last report.
   * @param lastedMs time for which the condition already exists, if the last report had another
   *   outcome; an integer in milliseconds @default 0
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
   * Returns gas and fees of attempts of these kinds that ended since this time, by the store's
   * clock, and the gas of live attempts.
   */
  abstract spending(kinds: readonly string[], sinceMs: number): Promise<TaskSpending>;
}
