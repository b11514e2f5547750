import { DomainError, causeCodeOf, type Clock, type ErrorDetails } from '@sotto/kernel';
import type { Obstacle, VerdictPart } from '../domain/verdict.js';

/** Longest wait for one look. */
const LOOK_TIMEOUT_MS = 2_000;
/** So long a look may take while the answer of the one before counts: a busy machine is slow. */
const LATE_MS = 5_000;
/** A look that has not ended by then never will: another one may begin. */
const ABANDON_MS = 30_000;

interface Look {
  readonly startedMs: number;
  readonly ended: Promise<void>;
}

/** A part of the verdict with what is known of it. At most one look of it is waited for. */
export class WatchedPart {
  /** Null before the first look has ended. */
  #found: readonly Obstacle[] | null = null;
  #foundAtMs: number | null = null;
  #isLate = false;
  #look: Look | null = null;

  constructor(
    readonly part: VerdictPart,
    private readonly clock: Clock,
    private readonly onBug: (component: string, error: unknown) => void,
  ) {}

  /** What was found last, and that the look under way is late where it is, until one ends. */
  obstacles(): readonly Obstacle[] {
    if (!this.#isLate) return this.#found ?? [];
    const ageMs = this.#foundAtMs === null ? null : this.clock.monotonicMs() - this.#foundAtMs;
    const details: ErrorDetails = ageMs === null ? {} : { knownAgoMs: Math.round(ageMs) };
    return [...(this.#found ?? []), { code: 'TIMED_OUT', details }];
  }

  /** Ends in limited time. What a late look finds is taken when it comes. */
  async refresh(): Promise<void> {
    const nowMs = this.clock.monotonicMs();
    if (this.#look !== null && nowMs - this.#look.startedMs >= ABANDON_MS) this.#look = null;
    if (this.#look === null && this.#isFresh(nowMs)) return;
    const look = (this.#look ??= this.#begin(nowMs));
    if (nowMs - look.startedMs < LOOK_TIMEOUT_MS) {
      const over = new AbortController();
      await Promise.race([look.ended, this.clock.sleep(LOOK_TIMEOUT_MS, over.signal)]);
      over.abort();
    }
    const tookMs = this.clock.monotonicMs() - look.startedMs;
    const mayTakeMs = this.#found === null ? LOOK_TIMEOUT_MS : LATE_MS;
    // A look that has ended is no longer the one under way.
    if (this.#look === look && tookMs >= mayTakeMs) this.#isLate = true;
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

  #begin(startedMs: number): Look {
    const look: Look = { startedMs, ended: this.#run().then((found) => this.#take(look, found)) };
    return look;
  }

  /** What an abandoned look finds says nothing of now. */
  #take(look: Look, found: readonly Obstacle[]): void {
    if (this.#look !== look) return;
    this.#look = null;
    this.#isLate = false;
    this.#found = found;
    this.#foundAtMs = this.clock.monotonicMs();
  }

  async #run(): Promise<readonly Obstacle[]> {
    const { component, failure } = this.part;
    try {
      return await this.part.look();
    } catch (error) {
      if (error instanceof DomainError) return [{ code: failure, details: causeOf(error) }];
      this.onBug(component, error);
      return [{ code: 'LOOK_FAILED' }];
    }
  }
}

/** The error's own code, and the code of a socket, operating system or database below it. */
export function causeOf(error: DomainError): ErrorDetails {
  const cause = error.causeCode ?? causeCodeOf(error);
  return { error: error.code, ...(cause === null ? {} : { cause }) };
}
