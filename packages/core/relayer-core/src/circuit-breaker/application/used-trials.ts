import { UNNAMED_CALLER, widestOf, type Caller } from '@sotto/kernel';

/**
 * Maximum number of trials for which networks are stored. These trials are of different pools and
 * causes.
 */
const MAX_CLAIMS = 256;

/**
 * Stores in memory which networks have used the trial that a series of failures allows. If the
 * caller of a trial makes it revert, the trial decides nothing, so the next trial is allowed
 * immediately. Without this record one caller could use every trial for a swap that slips, and so
 * keep the pool paused. Networks are stored until the process ends or newer series replace them.
 */
export class UsedTrials {
  /** Networks by lock name, oldest name first. A lock name belongs to one series of failures. */
  readonly #networksOf = new Map<string, Set<string>>();

  hasUsed(claim: string, caller: Caller | null): boolean {
    return caller !== null && (this.#networksOf.get(claim)?.has(widestOf(caller)) ?? false);
  }

  use(claim: string, caller: Caller | null): void {
    if (caller === null || caller === UNNAMED_CALLER) return;
    const networks = this.#networksOf.get(claim) ?? new Set();
    this.#networksOf.delete(claim);
    this.#networksOf.set(claim, networks.add(widestOf(caller)));
    for (const oldest of this.#networksOf.keys()) {
      if (this.#networksOf.size <= MAX_CLAIMS) break;
      this.#networksOf.delete(oldest);
    }
  }
}
