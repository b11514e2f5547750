import type { SubmissionAnswer } from '../domain/answer.js';
import type { NewSubmission, NewerCall } from '../domain/events.js';
import type { Attempt, AttemptRef, LaneRole } from '../domain/rows.js';
import type { LedgerBehindChain, QueueFull } from '../errors.js';

/** Result of a submit request. */
export type Acceptance =
  /**
   * A new attempt was written. Either the key had no attempt, or its last attempt has ended without
   * success.
   */
  | { readonly kind: 'accepted'; readonly attempt: Attempt }
  /**
   * A request of the same effect (`asksForSame`) is in flight or has succeeded. Its answer applies
   * to this one too.
   */
  | { readonly kind: 'same'; readonly attempt: Attempt }
  /** A request of another effect holds the key. */
  | { readonly kind: 'conflict'; readonly attempt: Attempt };

/**
 * Submission requested by a domain core. The service sets the id. The service also sets the
 * deadline, unless the call has an earlier deadline.
 */
export interface WantedSubmission extends Omit<NewSubmission, 'id' | 'deadlineAfterMs'> {
  /**
   * Maximum time between acceptance and the last send, in ms. Values above the service's deadline
   * have no effect. @default the service's deadline
   */
  readonly sendWithinMs?: number;
}

/** Call that is likely to be submitted soon. */
export type ExpectedCall = Pick<NewSubmission, 'role' | 'target' | 'calldata'>;

/**
 * Interface of the submission machine for the domain cores. Puts calls on chain exactly once per
 * attempt. All methods reject with a `DomainError` if the ledger can't answer. `submit` also
 * rejects with `QueueFull`, `LedgerBehindChain` or `PreviousAttemptNotFinal`.
 */
export abstract class Submissions {
  /**
   * Starts slow work on a call in advance, such as hashing, if the process has time for it now.
   * This work needs no nonce. Writes nothing and does not accept the call. `submit` reuses the
   * result if it gets the same `Felts` object.
   */
  abstract expect(call: ExpectedCall): void;
  /**
   * Accepts a submission, or returns the existing attempt of its key. Rejects with `QueueFull`
   * before anything is written if the role's queue is full. If the attempt of the key is in flight
   * or has succeeded, the request is answered even if the queue is full.
   */
  abstract submit(submission: WantedSubmission): Promise<Acceptance>;
  /**
   * Replaces the call of a waiting attempt by a newer call with the same effect. Returns false and
   * writes nothing if a transaction of the attempt was ever signed, or while the service accepts no
   * new work.
   */
  abstract renew(attempt: AttemptRef, newer: NewerCall): Promise<boolean>;
  /**
   * Returns the reason why the role accepts no new submission now; null if it accepts submissions.
   * This cheap check saves the caller work that `submit` would reject. `submit` itself makes the
   * final decision.
   */
  abstract checkQueueCapacity(role: LaneRole): Promise<QueueFull | LedgerBehindChain | null>;
  /** Returns the last attempt of a key, live or ended. */
  abstract last(key: string): Promise<Attempt | null>;
  /** Returns the current result of an attempt; null for an unknown id. */
  abstract find(id: string): Promise<SubmissionAnswer | null>;
  /**
   * Waits until the attempt is executed or ended, but at most `waitMs`. Then returns the current
   * result. The result always comes from the row, never from memory, so an instance with outdated
   * memory never reports an end.
   */
  abstract waitFor(id: string, waitMs: number, signal?: AbortSignal): Promise<SubmissionAnswer>;
}
