import type { Clock } from '@sotto/kernel';
import { outcomeOf, type AnswerAt, type SubmissionAnswer } from '../../domain/answer.js';
import type { NewSubmission, NewerCall } from '../../domain/events.js';
import { requestsSame } from '../../domain/fingerprint.js';
import { isLive, refOf, type Attempt, type AttemptRef, type LaneRole } from '../../domain/rows.js';
import { LedgerBehindChain, PreviousAttemptNotFinal, QueueFull } from '../../errors.js';
import type { Ledger } from '../../ports/ledger.port.js';
import type {
  Acceptance,
  ExpectedCall,
  Submissions,
  WantedSubmission,
} from '../../ports/submissions.port.js';
import type { SubmissionNotifier } from '../submission-notifier.js';
import type { FailpointHook } from '../settings.js';

/**
 * Interval in ms at which the row of an attempt is reread for a waiting caller, even without a
 * notification. Another instance may hold the lane and write the row.
 */
const REREAD_INTERVAL_MS = 1_000;

/**
 * Abort reason for all signals. Without a reason, each aborted signal creates a DOMException with a
 * stack.
 */
const OVER = 'over';

/** Age after which a queue's length is reread, in ms. A queue that seems full is always reread. */
const LENGTH_LIVES_MS = 250;
/**
 * Maximum number of attempts that this instance remembers as accepted and unchanged. The rows of
 * all other attempts are read.
 */
const MAX_UNCHANGED = 10_000;

/** Length of a queue as last read. */
interface QueueLength {
  readonly readAtMs: number;
  readonly waiting: number;
  /**
   * Number of attempts that this instance had accepted when the read began. Attempts accepted later
   * are added to `waiting`.
   */
  readonly acceptedBefore: number;
}

/** Delay after which a caller may retry when the queue is full, in seconds: a few blocks. */
const QUEUE_RETRY_AFTER_SECONDS = 5;
/**
 * Delay after which a caller may retry while the ledger is behind its chain, in seconds. A recovery
 * lasts minutes.
 */
const BEHIND_RETRY_AFTER_SECONDS = 30;
/**
 * Delay after which a caller may retry while the previous attempt is not final, in seconds.
 * Finality on L1 needs hours.
 */
const FINALITY_RETRY_AFTER_SECONDS = 600;

export interface SubmissionServiceSettings {
  readonly answerAt: AnswerAt;
  readonly deadlineMs: number;
  /** Maximum number of attempts per role that may wait for a lane. */
  readonly maxWaitingPerRole: number;
  /**
   * Returns true if the ledger was behind its chain when the engine last checked. Requests that the
   * ledger would reject are then rejected before any work.
   * @default never
   */
  readonly isLedgerBehind?: () => boolean;
  /** Returns a new public id of an attempt, which must be unguessable. */
  readonly newId: () => string;
}

/**
 * Interface of the machine for callers: accepts submissions, and answers queries from the ledger's
 * rows.
 */
export class SubmissionService implements Submissions {
  /**
   * Number of requests of this instance that passed the queue check and whose rows are not written
   * yet.
   */
  #entering = 0;
  readonly #lengths = new Map<LaneRole, QueueLength>();
  /** Number of attempts of each role that this instance has accepted since the start. */
  readonly #accepted = new Map<LaneRole, number>();
  /**
   * Ids of attempts that are known to wait for a lane. The row of such an attempt need not be read
   * until the attempt changes.
   */
  readonly #unchanged = new Set<string>();

  constructor(
    private readonly ledger: Ledger,
    private readonly changes: SubmissionNotifier,
    /**
     * Wakes the lanes. `isKnown` is true if `changes` has already sent the new work to the lanes.
     */
    private readonly wakeLanes: (work: { readonly isKnown: boolean }) => void,
    private readonly clock: Clock,
    private readonly settings: SubmissionServiceSettings,
    private readonly failpoint: FailpointHook,
  ) {
    changes.follow((id) => void this.#unchanged.delete(id));
  }

  expect(call: ExpectedCall): void {
    this.changes.expected(call);
  }

  async submit(wanted: WantedSubmission): Promise<Acceptance> {
    if (!this.#hasRoom(wanted.role)) {
      const full = this.#fullWith(await this.#count(wanted.role));
      if (full !== null && !(await this.#needsNoPlace(wanted.key))) throw full;
    }
    // Increment in the same tick as the check: concurrent calls must see each other.
    this.#entering += 1;
    try {
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
      if (!recorded.applied)
        return { kind: requestsSame(attempt, wanted) ? 'same' : 'conflict', attempt };
      this.failpoint('accepted');
      this.changes.accepted(attempt, submission.calldata);
      this.#remember(attempt);
      this.wakeLanes({ isKnown: true });
      return { kind: 'accepted', attempt };
    } finally {
      this.#entering -= 1;
    }
  }

  async renew(attempt: AttemptRef, newer: NewerCall): Promise<boolean> {
    const { effect, fingerprint, calldata, deadlineBlock = null } = newer;
    const { applied } = await this.ledger.apply({
      type: 'renew',
      attempt: refOf(attempt),
      effect,
      fingerprint,
      calldata,
      deadlineBlock,
    });
    // Lanes may still have the previous call of the attempt in memory, so make them read the row.
    if (applied) {
      this.wakeLanes({ isKnown: false });
      this.changes.workWaits();
    }
    return applied;
  }

  async checkQueueCapacity(role: LaneRole): Promise<QueueFull | LedgerBehindChain | null> {
    if (this.settings.isLedgerBehind?.() === true)
      return new LedgerBehindChain({ retryAfterSeconds: BEHIND_RETRY_AFTER_SECONDS });
    return this.#hasRoom(role) ? null : this.#fullWith(await this.#count(role));
  }

  last(key: string): Promise<Attempt | null> {
    return this.ledger.lastAttempt(key);
  }

  async find(id: string): Promise<SubmissionAnswer | null> {
    const found = await this.ledger.attemptWithTransactions(id);
    return found === null
      ? null
      : outcomeOf(found.attempt, found.transactions, this.settings.answerAt);
  }

  async waitFor(id: string, waitMs: number, signal?: AbortSignal): Promise<SubmissionAnswer> {
    const untilMs = this.clock.monotonicMs() + waitMs;
    for (;;) {
      const reread = new AbortController();
      const onAbort = (): void => reread.abort(OVER);
      signal?.addEventListener('abort', onAbort, { once: true });
      // Subscribe before reading the row, so that no change is missed in between.
      const change = this.changes.next(id, reread.signal);
      try {
        const answer = this.#unchanged.delete(id) ? null : await this.#found(id);
        const leftMs = untilMs - this.clock.monotonicMs();
        const isOver = leftMs <= 0 || signal?.aborted === true;
        if (answer !== null && (answer.kind !== 'pending' || isOver)) return answer;
        if (isOver) continue;
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

  async #found(id: string): Promise<SubmissionAnswer> {
    const answer = await this.find(id);
    if (answer === null) throw new Error('waiting for an attempt that does not exist');
    return answer;
  }

  /**
   * True if the last known length of the queue is below the limit. The length is read again before
   * a request is rejected.
   */
  #hasRoom(role: LaneRole): boolean {
    const known = this.#lengths.get(role);
    return (
      known !== undefined &&
      this.clock.monotonicMs() - known.readAtMs < LENGTH_LIVES_MS &&
      this.#fullWith(known.waiting + this.#acceptedOf(role) - known.acceptedBefore) === null
    );
  }

  async #count(role: LaneRole): Promise<number> {
    const readAtMs = this.clock.monotonicMs();
    const acceptedBefore = this.#acceptedOf(role);
    const waiting = await this.ledger.countWaiting(role);
    this.#lengths.set(role, { readAtMs, waiting, acceptedBefore });
    return waiting;
  }

  #acceptedOf(role: LaneRole): number {
    return this.#accepted.get(role) ?? 0;
  }

  /**
   * Returns an error if the queue is full, otherwise null. The count uses no lock. So the queue may
   * exceed its limit if another instance accepts requests at the same time.
   */
  #fullWith(waiting: number): QueueFull | null {
    const isFull = waiting + this.#entering >= this.settings.maxWaitingPerRole;
    return isFull ? new QueueFull({ retryAfterSeconds: QUEUE_RETRY_AFTER_SECONDS }) : null;
  }

  /**
   * True if the key has an attempt that is in flight or has succeeded. A request with such a key is
   * answered even if the queue is full.
   */
  async #needsNoPlace(key: string): Promise<boolean> {
    const last = await this.ledger.lastAttempt(key);
    return last !== null && (isLive(last.state) || last.state === 'succeeded');
  }

  #remember({ id, role }: Attempt): void {
    this.#accepted.set(role, this.#acceptedOf(role) + 1);
    if (this.#unchanged.size >= MAX_UNCHANGED) this.#unchanged.clear();
    this.#unchanged.add(id);
  }
}
