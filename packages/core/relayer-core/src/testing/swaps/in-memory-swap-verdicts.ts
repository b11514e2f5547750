import type { DomainError } from '@sotto/kernel';
import type { SwapVerdict, SwapVerdicts } from '../../swaps/ports/swap-verdicts.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Verdicts as the store keeps them, until the process ends. */
export class InMemorySwapVerdicts implements SwapVerdicts {
  readonly #verdicts = new Map<string, SwapVerdict>();
  #failure: DomainError | null = null;

  /**
   * @param reverted ids of the swaps that have reverted since then and are the last of their key
   */
  constructor(private readonly reverted: (endedSinceMs: number) => readonly string[] = () => []) {}

  /** Every call rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async decide(attemptId: string, verdict: SwapVerdict): ReturnType<SwapVerdicts['decide']> {
    this.#answer();
    const standing = this.#verdicts.get(attemptId);
    if (standing !== undefined) return { standing, isOurs: false };
    this.#verdicts.set(attemptId, verdict);
    return { standing: verdict, isOurs: true };
  }

  async find(attemptId: string): Promise<SwapVerdict | null> {
    this.#answer();
    return this.#verdicts.get(attemptId) ?? null;
  }

  async undecided(endedSinceMs: number, limit: number): Promise<readonly string[]> {
    this.#answer();
    return this.reverted(endedSinceMs)
      .filter((id) => !this.#verdicts.has(id))
      .slice(0, limit);
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
