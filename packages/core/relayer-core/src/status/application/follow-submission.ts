import { CODES_OF } from '@sotto/facts';
import { Shares, type Caller, type Clock, type ShareLimits } from '@sotto/kernel';
import type { Progress, SubmissionNotifier } from '@sotto/submission-core';
import type { DepositOutcomes } from '../../deposits/application/deposit-outcomes.js';
import type { GetSubmission } from '../../relay/application/get-submission.js';
import type { SwapOutcomes } from '../../swaps/application/swap-outcomes.js';
import { hasReached, type SubmissionView } from '../domain/submission-view.js';
import { SubmissionWatch, type SubmissionListener } from './submission-watch.js';

interface FollowSubmissionPorts {
  readonly getSubmission: Pick<GetSubmission, 'execute'>;
  readonly swapOutcomes: Pick<SwapOutcomes, 'describe'>;
  readonly depositOutcomes: Pick<DepositOutcomes, 'describe'>;
  readonly changes: Pick<SubmissionNotifier, 'follow'>;
  readonly clock: Clock;
}

interface FollowSubmissionPolicy {
  /** Maximum number of waiting requests and streams of this instance, in total and by caller. */
  readonly limits: ShareLimits;
  /**
   * Interval at which a followed submission is read without a notification, in ms. A lost
   * notification delays an answer by at most this time.
   */
  readonly rereadMs: number;
  /** Maximum duration of a stream, in ms. */
  readonly maxStreamMs: number;
}

interface FollowedBy {
  readonly id: string;
  readonly caller: Caller;
  /** Aborts when the caller has disconnected or the service stops. */
  readonly signal: AbortSignal;
}

export interface SubmissionWait extends FollowedBy {
  readonly until: Progress;
  readonly waitMs: number;
}

/** Counts of waiting requests and streams for the metrics. */
export interface WaitCounts {
  readonly waiting: number;
  /** Number of requests and streams that did not wait because of a limit, since the start. */
  readonly refused: number;
}

/** Progress at which a stream ends. ACCEPTED_ON_L1 follows hours later. */
const STREAMED_UNTIL: Progress = 'accepted';

/**
 * Returns a submission to any caller that knows its id: now, when its outcome is known, or after
 * each change. A caller beyond a limit gets the present state and does not wait.
 */
export class FollowSubmission {
  /** Error codes of its API routes. */
  static readonly throws = CODES_OF.submission;

  readonly #shares: Shares;
  readonly #watches = new Map<string, SubmissionWatch>();
  #refused = 0;

  constructor(
    private readonly ports: FollowSubmissionPorts,
    private readonly policy: FollowSubmissionPolicy,
  ) {
    this.#shares = new Shares(policy.limits);
    ports.changes.follow((id) => this.#watches.get(id)?.changed());
  }

  counts(): WaitCounts {
    return { waiting: this.#shares.held, refused: this.#refused };
  }

  /** Returns the submission as it is now. @throws SubmissionNotFound */
  async read(id: string): Promise<SubmissionView> {
    const { getSubmission, swapOutcomes, depositOutcomes } = this.ports;
    const answer = await getSubmission.execute(id);
    const [swap, deposit] = await Promise.all([
      swapOutcomes.describe(answer),
      depositOutcomes.describe(answer),
    ]);
    return { answer, swap, deposit };
  }

  /**
   * Returns the submission once it has reached `until`. After `waitMs`, at the abort of the signal
   * and beyond a limit it returns the last known state.
   * @throws SubmissionNotFound
   */
  async wait({ id, caller, until, waitMs, signal }: SubmissionWait): Promise<SubmissionView> {
    let last = await this.read(id);
    if (signal.aborted || hasReached(last, until)) return last;
    const release = this.#acquire(caller);
    if (release === null) return last;
    const reader = new ViewReader(this.ports.clock, waitMs, signal);
    const leave = this.#join(id, reader);
    try {
      while (!hasReached(last, until)) {
        const view = await reader.next();
        if (view === null) break;
        last = view;
      }
      return last;
    } finally {
      leave();
      reader.close();
      release();
    }
  }

  /**
   * Yields the submission now and after each read, which may show no change, until its outcome is
   * accepted. A slow reader misses states between two reads, but never the last one. Beyond a limit
   * only the present state is returned.
   * @throws SubmissionNotFound
   */
  async *stream({ id, caller, signal }: FollowedBy): AsyncGenerator<SubmissionView> {
    let last = await this.read(id);
    const isOver = signal.aborted || hasReached(last, STREAMED_UNTIL);
    const release = isOver ? null : this.#acquire(caller);
    if (release === null) {
      yield last;
      return;
    }
    const reader = new ViewReader(this.ports.clock, this.policy.maxStreamMs, signal);
    const leave = this.#join(id, reader);
    try {
      yield last;
      while (!hasReached(last, STREAMED_UNTIL)) {
        const view = await reader.next();
        if (view === null) return;
        last = view;
        yield view;
      }
    } finally {
      leave();
      reader.close();
      release();
    }
  }

  /** @returns function that releases the share; null if the caller may not wait */
  #acquire(caller: Caller): (() => void) | null {
    if (this.#shares.rejection(caller) === null) return this.#shares.take(caller);
    this.#refused += 1;
    return null;
  }

  /** @returns function that removes the listener */
  #join(id: string, listener: SubmissionListener): () => void {
    const { clock } = this.ports;
    const watch =
      this.#watches.get(id) ??
      new SubmissionWatch(() => this.read(id), clock, this.policy.rereadMs);
    this.#watches.set(id, watch);
    watch.add(listener);
    return () => {
      watch.remove(listener);
      if (watch.isUnused && this.#watches.get(id) === watch) this.#watches.delete(id);
    };
  }
}

/** Newest unread view of one caller, until the caller's time is over. */
class ViewReader implements SubmissionListener {
  /** Returns the view, or throws the error of the read. */
  #unread: (() => SubmissionView) | null = null;
  #isOver = false;
  #wake = (): void => undefined;
  readonly #closing = new AbortController();

  constructor(
    clock: Pick<Clock, 'sleep'>,
    maxMs: number,
    private readonly signal: AbortSignal,
  ) {
    if (signal.aborted) this.#isOver = true;
    else signal.addEventListener('abort', this.#end, { once: true });
    void clock.sleep(maxMs, this.#closing.signal).then(this.#end);
  }

  readonly onView = (view: SubmissionView): void => this.#put(() => view);
  readonly onFailure = (error: unknown): void =>
    this.#put(() => {
      throw error;
    });

  /** Waits for an unread view. @returns null when the time is over */
  async next(): Promise<SubmissionView | null> {
    if (this.#unread === null && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    const unread = this.#unread;
    this.#unread = null;
    return unread === null ? null : unread();
  }

  close(): void {
    this.signal.removeEventListener('abort', this.#end);
    this.#closing.abort();
  }

  #put(unread: () => SubmissionView): void {
    this.#unread = unread;
    this.#wake();
  }

  readonly #end = (): void => {
    this.#isOver = true;
    this.#wake();
  };
}
