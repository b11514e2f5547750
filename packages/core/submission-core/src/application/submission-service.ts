import type { Clock } from '@sotto/kernel';
import { outcomeOf, type AnswerAt, type SubmissionAnswer } from '../domain/answer.js';
import type { NewSubmission, NewerCall } from '../domain/events.js';
import { asksForSame } from '../domain/fingerprint.js';
import { isLive, refOf, type Attempt, type AttemptRef, type LaneRole } from '../domain/rows.js';
import { LedgerBehindChain, PreviousAttemptNotFinal, QueueFull } from '../errors.js';
import type { Ledger } from '../ports/ledger.port.js';
import type { Acceptance, Submissions, WantedSubmission } from '../ports/submissions.port.js';
import type { SubmissionNotifier } from './submission-notifier.js';
import type { FailpointHook } from './settings.js';

/**
 * How often a waiting caller's row is read again without a change hint: another instance may hold
 * the lane.
 */
const REREAD_INTERVAL_MS = 1_000;

/** Without a reason of its own, every signal that aborts makes a DOMException with a stack. */
const OVER = 'over';

/** When a full queue is worth another try: a few blocks later. */
const QUEUE_RETRY_AFTER_SECONDS = 5;
/** A recovery takes minutes. */
const BEHIND_RETRY_AFTER_SECONDS = 30;
/** Finality on L1 takes hours. */
const FINALITY_RETRY_AFTER_SECONDS = 600;

export interface SubmissionServiceSettings {
  readonly answerAt: AnswerAt;
  readonly deadlineMs: number;
  /** Attempts of one role that may wait for a lane. */
  readonly maxWaitingPerRole: number;
  /**
   * As the engine saw it last: what would be refused by the ledger is refused before any work.
   * @default never
   */
  readonly isLedgerBehind?: () => boolean;
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

/** The callers' side of the machine: accepts, and answers from rows. */
export class SubmissionService implements Submissions {
  /** Requests of this instance between the count and their row. */
  #entering = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly changes: SubmissionNotifier,
    /** Notifies the lanes of work. */
    private readonly wakeLanes: () => void,
    private readonly clock: Clock,
    private readonly settings: SubmissionServiceSettings,
    private readonly failpoint: FailpointHook,
  ) {}

  async submit(wanted: WantedSubmission): Promise<Acceptance> {
    const full = this.#fullWith(await this.ledger.countWaiting(wanted.role));
    if (full !== null && !(await this.#needsNoPlace(wanted.key))) throw full;
    // In the turn of the count, so that a crowd that comes at once is counted.
    this.#entering += 1;
    try {
      return await this.#accept(wanted);
    } finally {
      this.#entering -= 1;
    }
  }

  async renew(attempt: AttemptRef, { effect, fingerprint, calldata }: NewerCall): Promise<boolean> {
    const { applied } = await this.ledger.apply({
      type: 'renew',
      attempt: refOf(attempt),
      effect,
      fingerprint,
      calldata,
    });
    return applied;
  }

  async checkQueueCapacity(role: LaneRole): Promise<QueueFull | LedgerBehindChain | null> {
    if (this.settings.isLedgerBehind?.() === true)
      return new LedgerBehindChain({ retryAfterSeconds: BEHIND_RETRY_AFTER_SECONDS });
    return this.#fullWith(await this.ledger.countWaiting(role));
  }

  last(key: string): Promise<Attempt | null> {
    return this.ledger.lastAttempt(key);
  }

  async find(id: string): Promise<SubmissionAnswer | null> {
    const attempt = await this.ledger.attemptById(id);
    if (attempt === null) return null;
    return outcomeOf(attempt, await this.ledger.transactionsOf(attempt), this.settings.answerAt);
  }

  async waitFor(id: string, waitMs: number, signal?: AbortSignal): Promise<SubmissionAnswer> {
    const untilMs = this.clock.monotonicMs() + waitMs;
    for (;;) {
      const reread = new AbortController();
      const onAbort = (): void => reread.abort(OVER);
      signal?.addEventListener('abort', onAbort, { once: true });
      // Listening starts before the row is read, so that no change falls in between.
      const change = this.changes.next(id, reread.signal);
      try {
        const answer = await this.find(id);
        if (answer === null) throw new Error('waiting for an attempt that does not exist');
        const leftMs = untilMs - this.clock.monotonicMs();
        if (answer.kind !== 'pending' || leftMs <= 0 || signal?.aborted === true) return answer;
        await Promise.race([
          change,
          this.clock.sleep(Math.min(leftMs, REREAD_INTERVAL_MS), reread.signal),
        ]);
      } finally {
        signal?.removeEventListener('abort', onAbort);
        reread.abort(OVER);
      }
    }
  }

  /**
   * Counted without a lock: what enters at the same moment in another instance may be accepted
   * beyond the number.
   */
  #fullWith(waiting: number): QueueFull | null {
    const isFull = waiting + this.#entering >= this.settings.maxWaitingPerRole;
    return isFull ? new QueueFull({ retryAfterSeconds: QUEUE_RETRY_AFTER_SECONDS }) : null;
  }

  /** A key in flight or succeeded is answered whatever the queue's length. */
  async #needsNoPlace(key: string): Promise<boolean> {
    const last = await this.ledger.lastAttempt(key);
    return last !== null && (isLive(last.state) || last.state === 'succeeded');
  }

  async #accept(wanted: WantedSubmission): Promise<Acceptance> {
    const { sendWithinMs = Infinity, ...call } = wanted;
    const deadlineAfterMs = Math.min(sendWithinMs, this.settings.deadlineMs);
    const submission: NewSubmission = { ...call, id: this.settings.newId(), deadlineAfterMs };
    const recorded = await this.ledger.apply({ type: 'request', submission });
    const because = recorded.applied ? null : recorded.because;
    if (because === 'ledger_behind')
      throw new LedgerBehindChain({ retryAfterSeconds: BEHIND_RETRY_AFTER_SECONDS });
    if (because === 'not_final')
      throw new PreviousAttemptNotFinal({ retryAfterSeconds: FINALITY_RETRY_AFTER_SECONDS });
    const { attempt } = recorded;
    if (attempt === null) throw new Error('the ledger recorded a request without an attempt');
    if (recorded.applied) {
      this.failpoint('accepted');
      this.changes.accepted(attempt.id);
      this.wakeLanes();
      this.changes.workWaits();
      return { kind: 'accepted', attempt };
    }
    return {
      kind: asksForSame(attempt, wanted) ? 'same' : 'conflict',
      attempt,
    };
  }
}
