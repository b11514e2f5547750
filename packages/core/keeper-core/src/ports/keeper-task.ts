import type { SkipReason, TaskName } from '@sotto/facts';

/** What became of one look at a subject; amounts in details are decimal texts. */
export type TaskReport =
  /** Something was submitted, or is settled since: by this keeper or another one. */
  | {
      readonly outcome: 'acted';
      readonly submissionId: string;
      readonly details: TaskDetails;
    }
  /**
   * Nothing was submitted, or nothing that ends the alert that `reason` is; `dueAtMs` says when
   * something may be, where that is known.
   */
  | {
      readonly outcome: 'skipped';
      readonly reason: SkipReason;
      readonly details: TaskDetails;
      readonly dueAtMs: number | null;
    };

export type TaskDetails = Readonly<Record<string, string | number | boolean>>;

/** What a task asks right before each submission: nothing is read between the answer and that. */
export interface TaskGate {
  /** Whether the look is only to watch: the subject is paused, and nothing is to be quoted. */
  readonly isPaused?: boolean;
  /**
   * Why a call of so much gas may not be submitted now: its budget is spent, or an operator has
   * paused it since the look began. Null when it may.
   */
  admit(costFri: bigint): Promise<SkipReason | null>;
}

/**
 * One thing that the protocol does by itself, for each of its subjects: look, decide, simulate as
 * the sending account, submit, learn. A task may run in several processes, be killed at any point
 * and see answers that are old: what it submits has a key that names what is due.
 */
export abstract class KeeperTask {
  abstract readonly name: TaskName;
  /** Kinds of its submissions: their gas counts on its budget. */
  abstract readonly kinds: readonly string[];
  /** From the end of one look to the begin of the next. */
  abstract readonly intervalMs: number;
  /**
   * Whether it looks at what is paused as well, with a gate that says so and admits nothing: its
   * alerts stand then in the place of the pause. @default false
   */
  readonly watchesPaused?: boolean;
  /** Public names of what is looked at, such as a vault's or an order's. */
  abstract subjects(): Promise<readonly string[]>;
  /**
   * Looks at one subject and does what is due. Rejects with a `DomainError` when something could
   * not be read; nothing was submitted then.
   */
  abstract attend(subject: string, gate: TaskGate, signal: AbortSignal): Promise<TaskReport>;
}

/** The report of a look that did nothing. */
export function skipped(
  reason: SkipReason,
  details: TaskDetails = {},
  dueAtMs: number | null = null,
): Extract<TaskReport, { readonly outcome: 'skipped' }> {
  return { outcome: 'skipped', reason, details, dueAtMs };
}
