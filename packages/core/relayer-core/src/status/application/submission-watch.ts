import type { Clock } from '@sotto/kernel';
import type { SubmissionView } from '../domain/submission-view.js';

/** Receiver of the reads of a watched submission. */
export interface SubmissionListener {
  readonly onView: (view: SubmissionView) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Reads one submission for all callers that wait for it: at the start, after each notification, and
 * at an interval that covers lost notifications. The reads end when the last listener leaves.
 */
export class SubmissionWatch {
  readonly #listeners = new Set<SubmissionListener>();
  #woken = new AbortController();

  constructor(
    private readonly read: () => Promise<SubmissionView>,
    private readonly clock: Pick<Clock, 'sleep'>,
    private readonly rereadMs: number,
  ) {}

  get isUnused(): boolean {
    return this.#listeners.size === 0;
  }

  /** Adds a listener. A listener may get a view that was read just before it was added. */
  add(listener: SubmissionListener): void {
    const isFirst = this.isUnused;
    this.#listeners.add(listener);
    if (isFirst) void this.#run();
  }

  remove(listener: SubmissionListener): void {
    this.#listeners.delete(listener);
    if (this.isUnused) this.#woken.abort();
  }

  /**
   * Reads the submission again. A read that is running may precede the change, so it is repeated.
   */
  changed(): void {
    this.#woken.abort();
  }

  async #run(): Promise<void> {
    while (!this.isUnused) {
      this.#woken = new AbortController();
      const { signal } = this.#woken;
      try {
        const view = await this.read();
        for (const listener of [...this.#listeners]) listener.onView(view);
      } catch (error) {
        for (const listener of [...this.#listeners]) listener.onFailure(error);
      }
      await this.clock.sleep(this.rereadMs, signal);
    }
  }
}
