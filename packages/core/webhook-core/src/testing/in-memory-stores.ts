import type { DomainError } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { MemoryAlertStore } from '../application/memory-alert-store.js';
import { MemoryDeliveryStore } from '../application/memory-delivery-store.js';
import type { Alert, SeenAlert } from '../domain/alert.js';
import type { Delivery, Topic } from '../domain/delivery.js';
import type { Claim } from '../ports/delivery-store.port.js';

/**
 * Switch with which a test makes a fake fail. After {@link fail}, all calls reject. After
 * `fail(null)`, calls succeed again.
 */
class Failing {
  #failure: DomainError | null = null;

  fail(failure: DomainError | null = new LedgerUnavailable()): void {
    this.#failure = failure;
  }

  async answer<T>(call: () => Promise<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure;
    return call();
  }
}

/**
 * Delivery store in memory that several instances can share. A test can make this store
 * unavailable.
 */
export class InMemoryDeliveryStore extends MemoryDeliveryStore {
  readonly #failing = new Failing();

  fail(failure?: DomainError | null): void {
    this.#failing.fail(failure);
  }

  override add(topic: Topic, endpoint: string, most: number, begun?: Delivery) {
    return this.#failing.answer(() => super.add(topic, endpoint, most, begun));
  }

  override ofKind(kind: Topic['kind']) {
    return this.#failing.answer(() => super.ofKind(kind));
  }

  override count(endpoint: string) {
    return this.#failing.answer(() => super.count(endpoint));
  }

  override countUndelivered(endpoint: string) {
    return this.#failing.answer(() => super.countUndelivered(endpoint));
  }

  override claim(endpoint: string, claim: Claim) {
    return this.#failing.answer(() => super.claim(endpoint, claim));
  }

  override want(delivery: Delivery, state: string, leaseMs: number) {
    return this.#failing.answer(() => super.want(delivery, state, leaseMs));
  }

  override settle(delivery: Delivery, state: string | null, dueInMs: number) {
    return this.#failing.answer(() => super.settle(delivery, state, dueInMs));
  }

  override postpone(delivery: Delivery, failures: number, dueInMs: number) {
    return this.#failing.answer(() => super.postpone(delivery, failures, dueInMs));
  }

  override remove(delivery: Delivery) {
    return this.#failing.answer(() => super.remove(delivery));
  }

  override makeDue(endpoint: string) {
    return this.#failing.answer(() => super.makeDue(endpoint));
  }

  override forget(olderThanMs: number, limit: number) {
    return this.#failing.answer(() => super.forget(olderThanMs, limit));
  }
}

/**
 * Alert store in memory that several instances can share. A test can make this store unavailable,
 * like {@link InMemoryDeliveryStore}.
 */
export class InMemoryAlertStore extends MemoryAlertStore {
  readonly #failing = new Failing();

  fail(failure?: DomainError | null): void {
    this.#failing.fail(failure);
  }

  override note(instance: string, alerts: readonly SeenAlert[], lapseMs: number) {
    return this.#failing.answer(() => super.note(instance, alerts, lapseMs));
  }

  override sightings(alert: Alert) {
    return this.#failing.answer(() => super.sightings(alert));
  }

  override forget(olderThanMs: number) {
    return this.#failing.answer(() => super.forget(olderThanMs));
  }
}
