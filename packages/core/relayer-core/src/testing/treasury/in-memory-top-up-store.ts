import { isLive, type Attempt } from '@sotto/submission-core';
import type { DomainError } from '@sotto/kernel';
import { TOP_UP } from '../../treasury/domain/top-up.js';
import type { PaidTopUp, TopUpStore } from '../../treasury/ports/top-up-store.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Top-up store that computes the top-ups from the attempts of a fake submission store. */
export class InMemoryTopUpStore implements TopUpStore {
  #failure: DomainError | null = null;

  constructor(private readonly attempts: () => readonly Attempt[]) {}

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async since(sinceMs: number): Promise<readonly PaidTopUp[]> {
    if (this.#failure !== null) throw this.#failure;
    return this.attempts()
      .filter(({ kind }) => kind === TOP_UP)
      .filter(
        ({ state, endedAtMs }) =>
          isLive(state) || (state === 'succeeded' && (endedAtMs ?? 0) >= sinceMs),
      )
      .map(({ subject, memo, state }) => ({
        lane: subject,
        amountFri: BigInt(memo ?? 0),
        isLive: isLive(state),
      }));
  }
}
