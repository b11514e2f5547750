import { systemClock } from '@sotto/kernel';
import { liveAttempts } from '../ledger/read-ledger.js';

interface Kill {
  readonly atMs: number;
  readonly inFlight: ReadonlySet<string>;
  recoveredMs: number | null;
}

/**
 * Follows what was in flight at each kill until all of it has ended, however often the service dies
 * meanwhile.
 */
export class Recoveries {
  readonly #kills: Kill[] = [];

  constructor(private readonly databaseFile: string) {}

  /** The service has just died. */
  killed(): void {
    this.#kills.push({
      atMs: systemClock.monotonicMs(),
      inFlight: liveAttempts(this.databaseFile),
      recoveredMs: null,
    });
  }

  look(): void {
    const live = liveAttempts(this.databaseFile);
    for (const kill of this.#kills) {
      if (kill.recoveredMs === null && ![...kill.inFlight].some((id) => live.has(id)))
        kill.recoveredMs = systemClock.monotonicMs() - kill.atMs;
    }
  }

  get kills(): number {
    return this.#kills.length;
  }

  /** Kills after which everything that was in flight has ended. */
  get recovered(): number {
    return this.#kills.filter(({ recoveredMs }) => recoveredMs !== null).length;
  }

  /** Most that was in flight when the service died. */
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
