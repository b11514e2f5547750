import type { DomainError, Felt } from '@sotto/kernel';
import type { PoolControl, PoolControls } from '../../circuit-breaker/ports/pool-controls.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Pool controls in memory, which are lost when the process ends. */
export class InMemoryPoolControls implements PoolControls {
  readonly #controls = new Map<Felt, PoolControl>();
  #failure: DomainError | null = null;

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async all(): Promise<readonly PoolControl[]> {
    this.#answer();
    return [...this.#controls.values()];
  }

  async pause(pool: Felt, reason: string, nowMs: number): Promise<void> {
    this.#change(pool, ({ paused }) => ({ paused: { reason, sinceMs: paused?.sinceMs ?? nowMs } }));
  }

  async resume(pool: Felt, nowMs: number): Promise<void> {
    this.#change(pool, () => ({
      paused: null,
      resumedAtMs: nowMs,
      upstream: { failures: 0, lastAtMs: 0 },
    }));
  }

  async upstreamFailed(pool: Felt, nowMs: number, atMost: number): Promise<void> {
    this.#change(pool, ({ upstream }) =>
      upstream.failures > atMost
        ? {}
        : { upstream: { failures: upstream.failures + 1, lastAtMs: nowMs } },
    );
  }

  async upstreamAnswered(pool: Felt): Promise<void> {
    this.#answer();
    if (this.#controls.has(pool))
      this.#change(pool, () => ({ upstream: { failures: 0, lastAtMs: 0 } }));
  }

  #change(pool: Felt, change: (before: PoolControl) => Partial<PoolControl>): void {
    this.#answer();
    const before = this.#controls.get(pool) ?? {
      pool,
      paused: null,
      resumedAtMs: 0,
      upstream: { failures: 0, lastAtMs: 0 },
    };
    this.#controls.set(pool, { ...before, ...change(before) });
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
