import { UNNAMED_CALLER, widestOf, type Caller } from '@sotto/kernel';

/** Trials of different pools and causes that are remembered at a time. */
const MAX_CLAIMS = 256;

/**
 * Remembers which networks have had the trial of a breaker's run. A trial that its caller makes
 * revert decides nothing and is free again: without this memory one caller could take each of them,
 * for a swap that slips, and keep the pool paused. Networks are held in memory alone, until the
 * process ends or newer runs displace them.
 */
export class UsedTrials {
  /** Networks by claim, oldest claim first. A claim names one run of failures. */
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
