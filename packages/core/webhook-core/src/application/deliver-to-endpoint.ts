import { BackgroundTask, type Clock, type Logger } from '@sotto/kernel';
import { backOffMs } from '../domain/back-off.js';
import { messageIdOf, type Delivery, type WebhookEndpoint } from '../domain/delivery.js';
import type { DeliveryStore } from '../ports/delivery-store.port.js';
import type { WebhookSender } from '../ports/webhook-sender.port.js';
import type { DeliveryCounters, DeliveryResult } from './delivery-counters.js';
import { EndpointCircuit } from './endpoint-circuit.js';
import type { TopicState, TopicStates } from './topic-state.js';

const SECOND_MS = 1_000;
/** Age at which an undelivered message is dropped, in ms. */
const DROP_AFTER_MS = 24 * 3_600_000;
/**
 * Lease of a claimed row, in ms. The lease is longer than the sender's timeout, so that two
 * instances never send a message at the same time.
 */
const LEASE_MS = 60_000;
/** Maximum number of concurrent messages to one endpoint. */
const CONCURRENCY = 4;

export interface DeliveryPorts {
  readonly store: DeliveryStore;
  readonly topics: TopicStates;
  readonly sender: WebhookSender;
  readonly counters: DeliveryCounters;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/**
 * Delivers the messages of one endpoint's rows. The content of a message is read when the message
 * is created, and a state that changes before its delivery is not delivered. An interrupted attempt
 * is repeated under the same message id, by this instance or another one.
 */
export class DeliverToEndpoint extends BackgroundTask {
  readonly name: string;
  readonly intervalMs = SECOND_MS;
  readonly #circuit: EndpointCircuit;
  #hasBegun = false;

  constructor(
    private readonly ports: DeliveryPorts,
    private readonly endpoint: WebhookEndpoint,
  ) {
    super();
    this.name = `webhooks of ${endpoint.name}`;
    this.#circuit = new EndpointCircuit(ports.clock, ports.random);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!this.#hasBegun) {
      // A killed process leaves leases behind, and the receiver may have recovered since the last
      // failure. So try all rows at once. If the receiver still fails, the circuit pauses after the
      // first messages.
      await this.ports.store.makeDue(this.endpoint.name);
      this.#hasBegun = true;
    }
    while (!signal.aborted && !this.#circuit.isResting) {
      const limit = this.#circuit.isTrial ? 1 : CONCURRENCY;
      const due = await this.ports.store.claim(this.endpoint.name, { limit, leaseMs: LEASE_MS });
      // Wait for all messages, so that the maximum number of concurrent messages is not exceeded.
      const ends = await Promise.allSettled(due.map((delivery) => this.#attend(delivery, signal)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      if (due.length < limit) return;
    }
  }

  async #attend(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { store } = this.ports;
    const now = await this.ports.topics.read(delivery);
    if (now === null) {
      await store.remove(delivery);
      return;
    }
    const { message } = now;
    // After a failed attempt to deliver a newer state, that message may have arrived nevertheless.
    // So if the topic is in the previously delivered state again, send that state once more.
    const isKnown = delivery.wantedState === null && message?.state === delivery.deliveredState;
    if (message === null || isKnown) {
      await this.#rest(delivery, now);
      return;
    }
    const wanted =
      message.state === delivery.wantedState
        ? delivery
        : await store.want(delivery, message.state, LEASE_MS);
    if (wanted !== null) await this.#try(wanted, now, message, signal);
  }

  async #try(
    delivery: Delivery,
    now: TopicState,
    { state, body }: { readonly state: string; readonly body: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { store, sender, random } = this.ports;
    const isOld = (delivery.waitedMs ?? 0) >= DROP_AFTER_MS;
    // The message is old, but possibly no instance was running in the meantime, or a clock was
    // changed. Therefore try once more, unless the endpoint is known to fail.
    if (isOld && this.#circuit.isTrial) {
      await this.#drop(delivery, state, now);
      return;
    }
    const sent = await sender.send(this.endpoint.name, { id: messageIdOf(delivery), body }, signal);
    if (sent.ok) {
      this.#circuit.succeeded();
      this.#count('DELIVERED', delivery);
      await this.#end(delivery, state, now);
      return;
    }
    if (signal.aborted) {
      // The message may have arrived; the next process sends it again under the same id.
      await store.postpone(delivery, delivery.failures, 0);
      return;
    }
    const { failure, retryAfterMs } = sent;
    const failures = delivery.failures + 1;
    this.#circuit.failed(failure, retryAfterMs);
    this.#count(failure, delivery);
    if (isOld) {
      await this.#drop(delivery, state, now);
      return;
    }
    await store.postpone(delivery, failures, backOffMs(failures, random, retryAfterMs));
  }

  async #drop(delivery: Delivery, state: string, now: TopicState): Promise<void> {
    this.#count('DROPPED', delivery);
    await this.#end(delivery, state, now);
  }

  async #end(
    delivery: Delivery,
    state: string,
    { isLast, pollAgainMs }: TopicState,
  ): Promise<void> {
    await (isLast
      ? this.ports.store.remove(delivery)
      : this.ports.store.settle(delivery, state, pollAgainMs));
  }

  /** Settles or removes a row for which no message has to be sent. */
  async #rest(delivery: Delivery, { isLast, pollAgainMs }: TopicState): Promise<void> {
    const { store } = this.ports;
    await (isLast
      ? store.remove(delivery)
      : store.settle(delivery, delivery.deliveredState, pollAgainMs));
  }

  #count(result: DeliveryResult, { failures }: Delivery): void {
    this.ports.counters.add(this.endpoint.name, result);
    const fields = { endpoint: this.endpoint.name, result, failures };
    if (result === 'DELIVERED') this.ports.logger.debug(fields, 'a webhook was delivered');
    else if (result === 'DROPPED') this.ports.logger.error(fields, 'a webhook was dropped');
    else if (failures === 0) this.ports.logger.warn(fields, 'a webhook was not delivered');
  }
}
