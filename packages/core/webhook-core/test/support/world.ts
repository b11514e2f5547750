import { silentLogger, toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import type { Attempt, SubmissionAnswer } from '@sotto/submission-core';
import {
  AlertMemory,
  DeliverFromMemory,
  DeliverToEndpoint,
  DeliveryCounters,
  TopicStates,
  WatchAlerts,
  submissionTopic,
  type AlertHolds,
  type WebhookEndpoint,
} from '../../src/index.js';
import {
  FakeAlertSource,
  FakeWebhookSender,
  InMemoryAlertStore,
  InMemoryDeliveryStore,
} from '../../src/testing/index.js';

export const HASH = toFelt('0xabc');
export const SOON = { code: 'NODE_UNREACHABLE', component: 'node' };
export const HOLDS: AlertHolds = {
  raiseMsOf: ({ code }) => (code === SOON.code ? 5_000 : 30_000),
  resolveMs: 60_000,
};
export const SHOP: WebhookEndpoint = { name: 'shop', events: 'submissions' };
export const PAGER: WebhookEndpoint = { name: 'pager', events: 'alerts' };

const ATTEMPT: Attempt = {
  key: 'k',
  attempt: 1,
  id: 's1',
  kind: 'withdraw',
  subject: toFelt('0xaa1'),
  memo: 'the-nullifier-hash',
  state: 'accepted',
  effect: 'e',
  fingerprint: 'f',
  role: 'relay',
  target: { to: toFelt('0xaa1'), entrypoint: 'withdraw' },
  limits: { l2Gas: 1n, l1Gas: 1n, l1DataGas: 1n, priceMultiplier: 1n },
  terms: null,
  replayProtected: true,
  lane: null,
  nonce: null,
  readmit: false,
  avoidLane: null,
  acceptedAtMs: 0,
  deadlineMs: 0,
  deadlineBlock: null,
  endedAtMs: null,
  rejectionCode: null,
  transactionHash: null,
  revertReason: 'a reason that stays private',
  gasPaidFri: null,
  isFinal: false,
  undone: null,
};

type Executed = Extract<SubmissionAnswer, { kind: 'executed' }>;

export const PENDING: SubmissionAnswer = {
  kind: 'pending',
  attempt: ATTEMPT,
  transactionHash: HASH,
};

export const executed = (
  finality: Executed['finality'],
  execution: Executed['execution'] = 'SUCCEEDED',
): SubmissionAnswer => ({
  kind: 'executed',
  attempt: ATTEMPT,
  transactionHash: HASH,
  execution,
  revertReason: null,
  finality,
});

export const rejected = (
  state: 'refused' | 'expired',
  endedAtMs: number | null = null,
): SubmissionAnswer => ({
  kind: 'rejected',
  attempt: { ...ATTEMPT, endedAtMs },
  state,
  code: 'QUEUE_TIMED_OUT',
});

/**
 * World with a store, a receiver and any number of instances, all on one clock that a test
 * advances.
 */
export class World {
  readonly clock = new ManualClock();
  readonly store = new InMemoryDeliveryStore(this.clock);
  readonly alerts = new InMemoryAlertStore(this.clock);
  readonly sender = new FakeWebhookSender();
  readonly source = new FakeAlertSource();
  readonly counters = new DeliveryCounters();
  /** Alert memory of the instance that tests use by default. */
  readonly memory = new AlertMemory(this.clock, HOLDS);
  /** Current answer for each submission, by id. */
  readonly answers = new Map<string, SubmissionAnswer>([['s1', PENDING]]);
  readonly #tasks = [
    this.instance(),
    this.instance(PAGER),
    new DeliverFromMemory(this.memory, this.instance(PAGER, this.memory)),
  ];

  /** @param from memory from which this instance delivers; null if it delivers from the store */
  instance(endpoint = SHOP, from: AlertMemory | null = null): DeliverToEndpoint {
    const submissions = { find: async (id: string) => this.answers.get(id) ?? null };
    const mayResolve = (): boolean => from === null && this.memory.knowsOthers;
    const { alerts } = from ?? this;
    return new DeliverToEndpoint(
      {
        store: from?.store ?? this.store,
        topics: new TopicStates({ submissions, alerts, clock: this.clock, mayResolve }, HOLDS),
        sender: this.sender,
        counters: this.counters,
        clock: this.clock,
        logger: silentLogger,
        random: () => 0,
      },
      endpoint,
    );
  }

  async notify(id = 's1', endpoint = 'shop'): Promise<void> {
    await this.store.add(submissionTopic(id), endpoint, 2);
  }

  /** Sets the answer of a submission and runs all due tasks. */
  async becomes(answer: SubmissionAnswer, id = 's1'): Promise<void> {
    this.answers.set(id, answer);
    await this.pass(10 * 60_000);
  }

  /** Advances the clock and runs all due tasks once. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.run();
  }

  /** Runs all tasks. If a task fails, the other tasks still run; the error is thrown afterwards. */
  async run(): Promise<void> {
    const { signal } = new AbortController();
    const ends = await Promise.allSettled(this.#tasks.map((task) => task.run(signal)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  watch(instance = 'a', memory = this.memory): WatchAlerts {
    const { source, alerts, store } = this;
    return new WatchAlerts({ source, alerts, store, memory, logger: silentLogger }, [PAGER, SHOP], {
      resolveMs: HOLDS.resolveMs,
      instance,
    });
  }

  /** Makes the store unavailable (`isAway`), or available again. */
  setStoreAway(isAway: boolean): void {
    for (const store of [this.store, this.alerts])
      if (isAway) store.fail();
      else store.fail(null);
  }

  states(): readonly unknown[] {
    return this.sender.bodies().map((body) => Reflect.get(Object(body), 'state'));
  }

  ids(): readonly string[] {
    return this.sender.sent.map(({ id }) => id);
  }

  count(result: string, endpoint = 'shop'): number {
    return (
      this.counters.counts().find((each) => each.result === result && each.endpoint === endpoint)
        ?.count ?? 0
    );
  }
}

/** Gate that blocks its waiters until a test opens it. */
export class Deferred {
  open = (): void => {};
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}
