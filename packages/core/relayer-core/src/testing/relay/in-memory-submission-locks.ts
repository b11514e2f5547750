import type { DomainError } from '@sotto/kernel';
import type { SubmissionLock, SubmissionLocks } from '../../relay/ports/submission-locks.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Locks in memory, which are lost when the process ends. */
export class InMemorySubmissionLocks implements SubmissionLocks {
  readonly #claims = new Map<string, SubmissionLock>();
  #failure: DomainError | null = null;

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async take(name: string, holder: string, nowMs: number): Promise<SubmissionLock> {
    this.#answer();
    const standing = this.#claims.get(name);
    if (standing !== undefined && standing.holder !== holder) return standing;
    const claim = { holder, sinceMs: nowMs };
    this.#claims.set(name, claim);
    return claim;
  }

  async replace(
    name: string,
    { holder: from, sinceMs }: SubmissionLock,
    holder: string,
    nowMs: number,
  ): Promise<boolean> {
    this.#answer();
    const standing = this.#claims.get(name);
    if (standing === undefined || standing.holder !== from || standing.sinceMs !== sinceMs)
      return false;
    this.#claims.set(name, { holder, sinceMs: nowMs });
    return true;
  }

  async release(name: string, holder: string): Promise<void> {
    this.#answer();
    if (this.#claims.get(name)?.holder === holder) this.#claims.delete(name);
  }

  async forget(heldBeforeMs: number): Promise<number> {
    this.#answer();
    const over = [...this.#claims].filter(([, { sinceMs }]) => sinceMs < heldBeforeMs);
    for (const [name] of over) this.#claims.delete(name);
    return over.length;
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
