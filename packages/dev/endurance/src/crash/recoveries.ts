import { systemClock } from '@sotto/kernel';
import { liveAttempts } from '../ledger/read-ledger.js';

interface Kill {
  readonly atMs: number;
  readonly inFlight: ReadonlySet<string>;
  recoveredMs: number | null;
}

/**
 * Records the work that is in flight at each kill, and observes when all of this work has ended.
 * Later kills do not end the observation.
 */
export class Recoveries {
  readonly #kills: Kill[] = [];

  constructor(private readonly databaseFile: string) {}

  /** Records the work in flight after a kill. */
  killed(): void {
    this.#kills.push({
      atMs: systemClock.monotonicMs(),
      inFlight: liveAttempts(this.databaseFile),
      recoveredMs: null,
    });
  }

  poll(): void {
    const live = liveAttempts(this.databaseFile);
    for (const kill of this.#kills) {
      if (kill.recoveredMs === null && ![...kill.inFlight].some((id) => live.has(id)))
        kill.recoveredMs = systemClock.monotonicMs() - kill.atMs;
    }
  }

  get kills(): number {
    return this.#kills.length;
  }

  /** Number of kills whose work in flight has ended completely. */
  get recovered(): number {
    return this.#kills.filter(({ recoveredMs }) => recoveredMs !== null).length;
  }

  /** Maximum number of attempts in flight at a kill. */
  get mostInFlight(): number {
    return Math.max(0, ...this.#kills.map(({ inFlight }) => inFlight.size));
  }

  get slowestMs(): number {
    return Math.max(
      0,
      ...this.#kills.map(({ recoveredMs }) => recoveredMs ?? Number.POSITIVE_INFINITY),
    );
  }
}
