import { isLive, type Attempt } from '@sotto/submission-core';
import type { DomainError } from '@sotto/kernel';
import { isDeposit } from '../../pools/domain/deposit.js';
import type { EndedDeposit, LiveCall, TrafficStore } from '../../pools/ports/traffic-store.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Traffic store that reads the attempts, oldest first, from another fake. */
export class InMemoryTrafficStore implements TrafficStore {
  #failure: DomainError | null = null;

  constructor(private readonly attempts: () => readonly Attempt[]) {}

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async live(): Promise<readonly LiveCall[]> {
    return this.#read()
      .filter(({ state }) => isLive(state))
      .map(({ id, key, kind, subject, memo, fingerprint, target, state, acceptedAtMs }) => {
        return {
          id,
          key,
          kind,
          subject,
          memo,
          fingerprint,
          entrypoint: target.entrypoint,
          isSent: state === 'broadcast',
          acceptedAtMs,
        };
      });
  }

  async depositsSince(sinceMs: number): Promise<readonly EndedDeposit[]> {
    return this.#read()
      .filter(
        ({ kind, state }) => isDeposit({ kind }) && (state === 'succeeded' || state === 'reverted'),
      )
      .filter(({ acceptedAtMs }) => acceptedAtMs >= sinceMs)
      .map(({ id, subject, fingerprint, acceptedAtMs, state }) => ({
        id,
        subject,
        fingerprint,
        acceptedAtMs,
        hasReverted: state === 'reverted',
      }));
  }

  #read(): readonly Attempt[] {
    if (this.#failure !== null) throw this.#failure;
    return this.attempts();
  }
}
