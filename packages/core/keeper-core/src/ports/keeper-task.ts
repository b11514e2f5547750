import type { SkipReason, TaskName } from '@sotto/facts';

/** Result of one check of a subject. Amounts in `details` are decimal texts. */
export type TaskReport =
  /**
   * The submission exists or has already been settled; this keeper or another keeper created it.
   */
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

/**
 * Gate through which a task passes right before each submission. The task reads nothing between
 * gate and submission.
 */
export interface TaskGate {
  /**
   * True if the subject is paused. The check then only searches for alerts and must request no
   * quotes.
   */
  readonly isPaused?: boolean;
  /**
   * Returns the reason why a call with this cost may not be submitted now: the budget is exhausted,
   * or an operator has paused the subject since the check began. Returns null if the call may be
   * submitted.
   */
  admit(costFri: bigint): Promise<SkipReason | null>;
}

/**
 * One periodic task of the protocol, applied to each of its subjects. The steps are: check the
 * subject, decide, simulate as the sending account, submit, and later read the outcome. A task may
 * run in several processes, be killed at any point and read outdated responses. So the key of its
 * submission must identify the due work.
 */
export abstract class KeeperTask {
  abstract readonly name: TaskName;
  /**
   * Kinds of the submissions that the task sends. The gas of these kinds is charged to the task's
   * budget.
   */
  abstract readonly kinds: readonly string[];
  /** Pause between the end of one check and the start of the next, in milliseconds. */
  abstract readonly intervalMs: number;
  /**
   * True if paused subjects are checked as well, with a gate that rejects every call (`isPaused`).
   * If such a check finds an alert, the alert replaces the report that the subject is paused.
   * @default false
   */
  readonly watchesPaused?: boolean;
  /**
   * Returns the public names of the subjects to check, such as the name of a vault or the id of an
   * order.
   */
  abstract subjects(): Promise<readonly string[]>;
  /**
   * Checks one subject and does due work. Rejects with a `DomainError` if a read failed; in this
   * case nothing was submitted.
   */
  abstract attend(subject: string, gate: TaskGate, signal: AbortSignal): Promise<TaskReport>;
}

/** Builds the report of a check that did nothing. */
export function skipped(
  reason: SkipReason,
  details: TaskDetails = {},
  dueAtMs: number | null = null,
): Extract<TaskReport, { readonly outcome: 'skipped' }> {
  return { outcome: 'skipped', reason, details, dueAtMs };
}
