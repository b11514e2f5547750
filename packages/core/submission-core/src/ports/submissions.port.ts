import type { SubmissionAnswer } from '../domain/answer.js';
import type { NewSubmission, NewerCall } from '../domain/events.js';
import type { Attempt, AttemptRef, LaneRole } from '../domain/rows.js';
import type { LedgerBehindChain, QueueFull } from '../errors.js';

/** Result of a request. */
export type Acceptance =
  /** A new row: attempt 1, or a further one after the last ended without success. */
  | { readonly kind: 'accepted'; readonly attempt: Attempt }
  /**
   * A request of the same effect (`asksForSame`) is in flight or has succeeded. Its answer applies
   * to this one too.
   */
  | { readonly kind: 'same'; readonly attempt: Attempt }
  /** A request of another effect holds the key. */
  | { readonly kind: 'conflict'; readonly attempt: Attempt };

/**
 * Submission requested by the domain. The service chooses its id, and its deadline unless the call
 * has an earlier one.
 */
export interface WantedSubmission extends Omit<NewSubmission, 'id' | 'deadlineAfterMs'> {
  /** Time after its acceptance, in ms. @default the service's deadline, which it never exceeds */
  readonly sendWithinMs?: number;
}

/** Call that is likely to be submitted soon. */
export type ExpectedCall = Pick<NewSubmission, 'role' | 'target' | 'calldata'>;

/**
 * Interface of the submission machine for the domain cores. Puts calls on chain exactly once per
 * attempt. Rejects with a `DomainError` if the ledger can't answer, and `submit` with `QueueFull`,
 * `LedgerBehindChain` or `PreviousAttemptNotFinal`.
 */
export abstract class Submissions {
  /**
   * Starts slow work on a call that needs no nonce, if there is time for it now. Writes and
   * promises nothing. `submit` reuses the result if it gets the same felts object.
   */
  abstract expect(call: ExpectedCall): void;
  /**
   * Accepts a submission, or returns the one that the key has already. Rejects with `QueueFull`
   * before anything is written if the role's queue is full. A key in flight or succeeded is
   * answered even then.
   */
  abstract submit(submission: WantedSubmission): Promise<Acceptance>;
  /**
   * Replaces the call of a waiting attempt by a newer one of the same effect. Returns false and
   * writes nothing if any transaction of it was signed, and while no new work is accepted.
   */
  abstract renew(attempt: AttemptRef, newer: NewerCall): Promise<boolean>;
  /**
   * Returns why the role accepts no new submission now; null if it does. One cheap read, before a
   * caller does work that `submit` would reject. `submit` decides.
   */
  abstract checkQueueCapacity(role: LaneRole): Promise<QueueFull | LedgerBehindChain | null>;
  /** Returns the last attempt of a key, live or ended. */
  abstract last(key: string): Promise<Attempt | null>;
  /** Returns the current answer; null for an unknown id. */
  abstract find(id: string): Promise<SubmissionAnswer | null>;
  /**
   * Waits until the attempt is executed or ended, at most `waitMs`, then returns the current
   * answer. The answer always comes from the row, never from memory, so that a stale worker reports
   * no end.
   */
  abstract waitFor(id: string, waitMs: number, signal?: AbortSignal): Promise<SubmissionAnswer>;
}
