import type { TaskName } from '@sotto/facts';
import type { Felt } from '@sotto/kernel';
import type { TaskReport } from './keeper-task.js';

/** An operator's word about a task, or about one of its subjects. */
export interface TaskControl {
  readonly task: TaskName;
  /** Null for all of the task. */
  readonly subject: string | null;
  /** Null while it is not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /** Failures before this moment do not count any more; 0 when it never was resumed. */
  readonly resumedAtMs: number;
}

export interface LastActed {
  readonly atMs: number;
  readonly submissionId: string;
  /**
   * Whether the submission has been executed on chain, well or not: from then on everybody knows
   * its terms.
   */
  readonly isSettled: boolean;
}

/** The last look at a subject, by whichever instance. */
export interface TaskLook {
  readonly task: TaskName;
  readonly subject: string;
  readonly atMs: number;
  readonly report: TaskReport;
  /** Since when all looks have ended as this one did: they acted, or did not for this reason. */
  readonly sinceMs: number;
  /** The last look that submitted something; null when none has. */
  readonly lastActed: LastActed | null;
}

/** Fees in one token, in its smallest unit. */
export interface EarnedFee {
  readonly token: Felt;
  readonly amount: bigint;
}

/** Gas and fees of a task's submissions. */
export interface TaskSpending {
  /** What the transactions of those were charged that ended since the moment, in fri. */
  readonly spentFri: bigint;
  /** What those that are live may cost at most, in units of L2 gas. */
  readonly liveL2Gas: bigint;
  /**
   * What those were to bring at least that succeeded since the moment; one for each token, in the
   * order of their addresses.
   */
  readonly earned: readonly EarnedFee[];
}

/** What is kept of tasks beside their submissions. Rejects with `LedgerUnavailable`. */
export abstract class TaskBook {
  /** One for each task and subject that was ever paused or resumed. */
  abstract controls(): Promise<readonly TaskControl[]>;
  /**
   * `subject` null pauses all of the task. What is paused takes the new reason, and stays paused
   * since the moment it was.
   */
  abstract pause(task: TaskName, subject: string | null, reason: string): Promise<void>;
  /** Ends the pause of exactly this, and lets failures be counted from now on. */
  abstract resume(task: TaskName, subject: string | null): Promise<void>;
  /** The last look at each subject that was looked at within the last day. */
  abstract looks(): Promise<readonly TaskLook[]>;
  /**
   * Puts a report in the place of the subject's last one.
   * @param lastedMs for how long that has lasted, where the last one ended in another way; an
   * integer @default 0
   */
  abstract note(
    task: TaskName,
    subject: string,
    report: TaskReport,
    lastedMs?: number,
  ): Promise<void>;
  /**
   * Deletes looks at subjects that were not looked at within `ageMs`: they are gone, or the task is
   * off. The oldest come first, at most so many.
   * @returns how many
   */
  abstract forget(ageMs: number, most: number): Promise<number>;
  /** Gas and fees of attempts of these kinds, since the moment by the store's clock. */
  abstract spending(kinds: readonly string[], sinceMs: number): Promise<TaskSpending>;
}
