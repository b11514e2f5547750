import { DomainError, causeCodeOf, type Clock, type ErrorDetails } from '@sotto/kernel';
import type { Obstacle, VerdictPart } from '../domain/verdict.js';

/** Maximum time for which a refresh waits for one check, in milliseconds. */
const POLL_TIMEOUT_MS = 2_000;
/**
 * Duration of a check, in milliseconds, up to which the check is not reported as late
 * (`TIMED_OUT`). Until then, the previous result is used. Checks are slow on a busy machine.
 */
const LATE_MS = 5_000;
/** Milliseconds after which a check is abandoned, so that the next check may begin. */
const ABANDON_MS = 30_000;

interface Poll {
  readonly startedMs: number;
  readonly ended: Promise<void>;
}

/** Part of the verdict with its last result. Runs at most one check at a time. */
export class WatchedPart {
  /** Last result; null before the first check has completed. */
  #found: readonly Obstacle[] | null = null;
  #foundAtMs: number | null = null;
  #isLate = false;
  #poll: Poll | null = null;

  constructor(
    readonly part: VerdictPart,
    private readonly clock: Clock,
    private readonly onBug: (component: string, error: unknown) => void,
  ) {}

  /** Returns the last result. Adds `TIMED_OUT` if the running check is late. */
  obstacles(): readonly Obstacle[] {
    if (!this.#isLate) return this.#found ?? [];
    const ageMs = this.#foundAtMs === null ? null : this.clock.monotonicMs() - this.#foundAtMs;
    const details: ErrorDetails = ageMs === null ? {} : { knownAgoMs: Math.round(ageMs) };
    return [...(this.#found ?? []), { code: 'TIMED_OUT', details }];
  }

  /**
   * Runs a check, or waits for the check that is already running, for a limited time. If the check
   * is late, its result is used when it completes.
   */
  async refresh(): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    if (this.#poll !== null && nowMs - this.#poll.startedMs >= ABANDON_MS) this.#poll = null;
    if (this.#poll === null && this.#isFresh(nowMs)) return;
    const poll = (this.#poll ??= this.#begin(nowMs));
    if (nowMs - poll.startedMs < POLL_TIMEOUT_MS) {
      const over = new AbortController();
      await Promise.race([poll.ended, this.clock.sleep(POLL_TIMEOUT_MS, over.signal)]);
      over.abort();
    }
    const tookMs = this.clock.monotonicMs() - poll.startedMs;
    const mayTakeMs = this.#found === null ? POLL_TIMEOUT_MS : LATE_MS;
    // A check that has completed is removed from this field, so it is not late.
    if (this.#poll === poll && tookMs >= mayTakeMs) this.#isLate = true;
  }

  #isFresh(nowMs: number): boolean {
    const { everyMs = 0 } = this.part;
    return (
      this.#foundAtMs !== null &&
      this.#found !== null &&
      this.#found.length === 0 &&
      nowMs - this.#foundAtMs < everyMs
    );
  }

  #begin(startedMs: number): Poll {
    const poll: Poll = { startedMs, ended: this.#run().then((found) => this.#take(poll, found)) };
    return poll;
  }

  /**
   * Stores the result of a check. The result of an abandoned check is ignored, because it is
   * outdated.
   */
  #take(poll: Poll, found: readonly Obstacle[]): void {
    if (this.#poll !== poll) return;
    this.#poll = null;
    this.#isLate = false;
    this.#found = found;
    this.#foundAtMs = this.clock.monotonicMs();
  }

  async #run(): Promise<readonly Obstacle[]> {
    const { component, failure } = this.part;
    try {
      return await this.part.poll();
    } catch (error) {
      if (error instanceof DomainError) return [{ code: failure, details: causeOf(error) }];
      this.onBug(component, error);
      return [{ code: 'LOOK_FAILED' }];
    }
  }
}

/**
 * Returns details with the error's code. If the error was caused by a socket, operating system or
 * database error, the details also contain the code of that error.
 */
export function causeOf(error: DomainError): ErrorDetails {
  const cause = error.causeCode ?? causeCodeOf(error);
  return { error: error.code, ...(cause === null ? {} : { cause }) };
}
