import type { SkipReason, TaskName } from '@sotto/facts';

/** Result of one check of a subject; amounts in details are decimal texts. */
export type TaskReport =
  /** A submission was made, or has been settled since: by this keeper or another one. */
  | {
      readonly outcome: 'acted';
      readonly submissionId: string;
      readonly details: TaskDetails;
    }
  /**
   * No submission was made, or none that ends the alert in `reason`. `dueAtMs` is the time of the
   * next possible action, if known.
   */
  | {
      readonly outcome: 'skipped';
      readonly reason: SkipReason;
      readonly details: TaskDetails;
      readonly dueAtMs: number | null;
    };

export type TaskDetails = Readonly<Record<string, string | number | boolean>>;

/** Gate that a task passes right before each submission: nothing is read in between. */
export interface TaskGate {
  /** True if the check only watches: the subject is paused, and nothing may be quoted. */
  readonly isPaused?: boolean;
  /**
   * Returns the reason why a call with this cost may not be submitted now: the budget is exhausted,
   * or an operator has paused the subject since the check began. Null if it may.
   */
  admit(costFri: bigint): Promise<SkipReason | null>;
}

/**
 * One periodic task of the protocol, applied to each of its subjects: check, decide, simulate as
 * the sending account, submit, learn. A task may run in several processes, be killed at any point
 * and read outdated answers, so the key of its submission identifies the due work.
 */
export abstract class KeeperTask {
  abstract readonly name: TaskName;
  /** Kinds of its submissions: their gas counts on its budget. */
  abstract readonly kinds: readonly string[];
  /** Pause between the end of one check and the start of the next, in milliseconds. */
  abstract readonly intervalMs: number;
  /**
   * True if paused subjects are checked as well, with a gate that rejects every call (`isPaused`):
   * an alert then replaces the report of the pause. @default false
   */
  readonly watchesPaused?: boolean;
  /** Public names of the checked subjects, such as a vault's or an order's. */
  abstract subjects(): Promise<readonly string[]>;
  /**
   * Checks one subject and does due work. Rejects with a `DomainError` if a read failed; nothing
   * was submitted then.
   */
  abstract attend(subject: string, gate: TaskGate, signal: AbortSignal): Promise<TaskReport>;
}

/** Report of a check that did nothing. */
export function skipped(
  reason: SkipReason,
  details: TaskDetails = {},
  dueAtMs: number | null = null,
): Extract<TaskReport, { readonly outcome: 'skipped' }> {
  return { outcome: 'skipped', reason, details, dueAtMs };
}
