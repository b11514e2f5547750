import type { Clock } from '@sotto/kernel';
import { outcomeOf, type AnswerAt, type SubmissionAnswer } from '../../domain/answer.js';
import type { NewSubmission, NewerCall } from '../../domain/events.js';
import { asksForSame } from '../../domain/fingerprint.js';
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
 * How often a waiting caller's row is read again without a change hint: another instance may hold
 * the lane.
 */
const REREAD_INTERVAL_MS = 1_000;

/** Without a reason of its own, every signal that aborts makes a DOMException with a stack. */
const OVER = 'over';

/** A queue's length is read again after so long, and whenever it seems to be full. */
const LENGTH_LIVES_MS = 250;
/** Attempts that this instance has accepted and heard nothing of since; above it, rows are read. */
const MAX_UNCHANGED = 10_000;

/** A queue's length as it was read last. */
interface QueueLength {
  readonly readAtMs: number;
  readonly waiting: number;
  /** How many this instance had accepted when the read began: what came since is added. */
  readonly acceptedBefore: number;
}

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
  readonly #lengths = new Map<LaneRole, QueueLength>();
  /** Of each role, since the start. */
  readonly #accepted = new Map<LaneRole, number>();
  /** They wait, so that nothing is to be read of them before they change. */
  readonly #unchanged = new Set<string>();

  constructor(
    private readonly ledger: Ledger,
    private readonly changes: SubmissionNotifier,
    /** Notifies the lanes of work: `isKnown` where they were given it by `changes`. */
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
    // In the turn of the count, so that a crowd that comes at once is counted.
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
        return { kind: asksForSame(attempt, wanted) ? 'same' : 'conflict', attempt };
      this.failpoint('accepted');
      this.changes.accepted(attempt, submission.calldata);
      this.#remember(attempt);
      this.#wakeAll({ isKnown: true });
      return { kind: 'accepted', attempt };
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
    // Lanes may remember the attempt with the call that it had.
    if (applied) this.#wakeAll({ isKnown: false });
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
      // Listening starts before the row is read, so that no change falls in between.
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

  /** As far as the queue's length is remembered: nothing is refused for that alone. */
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

  /** The lanes of this instance and of the others. */
  #wakeAll(work: { readonly isKnown: boolean }): void {
    this.wakeLanes(work);
    this.changes.workWaits();
  }

  #remember({ id, role }: Attempt): void {
    this.#accepted.set(role, this.#acceptedOf(role) + 1);
    if (this.#unchanged.size >= MAX_UNCHANGED) this.#unchanged.clear();
    this.#unchanged.add(id);
  }
}
