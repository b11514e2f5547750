import { systemClock, type Clock, type DomainError, type Felt } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { LeverageTarget, LeverageTargets } from '../ports/leverage-targets.port.js';

/** Leverage targets in memory, for one process. */
export class InMemoryLeverageTargets implements LeverageTargets {
  readonly #targets = new Map<Felt, LeverageTarget>();
  #failure: DomainError | null = null;

  constructor(private readonly clock: Clock = systemClock) {}

  /** Makes every call reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new LedgerUnavailable()): void {
    this.#failure = failure;
  }

  async of(vault: Felt): Promise<LeverageTarget | null> {
    if (this.#failure !== null) throw this.#failure;
    return this.#targets.get(vault) ?? null;
  }

  async set(vault: Felt, targetBps: number | null): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (targetBps === null) this.#targets.delete(vault);
    else this.#targets.set(vault, { vault, targetBps, setAtMs: this.clock.nowMs() });
  }
}
