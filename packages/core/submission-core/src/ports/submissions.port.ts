import type { SubmissionAnswer } from '../domain/answer.js';
import type { NewSubmission, NewerCall } from '../domain/events.js';
import type { Attempt, AttemptRef, LaneRole } from '../domain/rows.js';
import type { LedgerBehindChain, QueueFull } from '../errors.js';

/** How a request met the ledger. */
export type Acceptance =
  /** A row of its own: attempt 1, or a further one after the last ended without success. */
  | { readonly kind: 'accepted'; readonly attempt: Attempt }
  /**
   * A request of the same effect (`asksForSame`) is in flight or has succeeded: its answer is this
   * one's answer.
   */
  | { readonly kind: 'same'; readonly attempt: Attempt }
  /** A request of another effect holds the key. */
  | { readonly kind: 'conflict'; readonly attempt: Attempt };

/**
 * A submission as the domain asks for it; its name is the service's, and so is its deadline unless
 * the call itself has an earlier one.
 */
export interface WantedSubmission extends Omit<NewSubmission, 'id' | 'deadlineAfterMs'> {
  /** After its acceptance. @default the service's deadline, which it never exceeds */
  readonly sendWithinMs?: number;
}

/** A call that is likely to be submitted soon. */
export type ExpectedCall = Pick<NewSubmission, 'role' | 'target' | 'calldata'>;

/**
 * Puts calls on chain exactly once per attempt. What the domain cores see of the submission
 * machine. Rejects with a `DomainError` when the ledger can't answer, and `submit` with
 * `QueueFull`, `LedgerBehindChain` or `PreviousAttemptNotFinal`.
 */
export abstract class Submissions {
  /**
   * Begins what is long about a call and needs no nonce, if there is time for it now. A hint:
   * nothing is written or promised, and `submit` with these very felts uses what was made.
   */
  abstract expect(call: ExpectedCall): void;
  /**
   * Accepts a submission, or returns the one that the key has already. Rejects with `QueueFull`,
   * before anything is written, when as many wait for a lane of the role as may; a key in flight or
   * succeeded is answered even then.
   */
  abstract submit(submission: WantedSubmission): Promise<Acceptance>;
  /**
   * Gives a waiting attempt a newer call of the same effect. False, and nothing is written, once
   * anything of it was signed, and while nothing new is taken.
   */
  abstract renew(attempt: AttemptRef, newer: NewerCall): Promise<boolean>;
  /**
   * Why the role takes no new submission now; null when it takes one. One cheap read, before a
   * caller does work that `submit` would refuse; `submit` has the last word.
   */
  abstract checkQueueCapacity(role: LaneRole): Promise<QueueFull | LedgerBehindChain | null>;
  /** Last attempt of a key: live, or ended. */
  abstract last(key: string): Promise<Attempt | null>;
  /** What may be reported now; null for an unknown id. */
  abstract find(id: string): Promise<SubmissionAnswer | null>;
  /**
   * Waits until the attempt is executed or ended, at most `waitMs`; then answers what is known.
   * Always from the row, never from memory, so that a stale worker reports no end.
   */
  abstract waitFor(id: string, waitMs: number, signal?: AbortSignal): Promise<SubmissionAnswer>;
}
