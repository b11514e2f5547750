import { silentLogger, toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import type { Attempt, SubmissionAnswer } from '@sotto/submission-core';
import {
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
  InMemoryAlertBook,
  InMemoryDeliveryBook,
} from '../../src/testing/index.js';

export const HASH = toFelt('0xabc');
const HOLDS: AlertHolds = { raiseMs: 30_000, resolveMs: 60_000 };
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
  endedAtMs: null,
  refusalCode: null,
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

/** A store, a receiver and any number of instances, all on one clock that a test moves. */
export class World {
  readonly clock = new ManualClock();
  readonly book = new InMemoryDeliveryBook(this.clock);
  readonly alerts = new InMemoryAlertBook(this.clock);
  readonly sender = new FakeWebhookSender();
  readonly source = new FakeAlertSource();
  readonly counters = new DeliveryCounters();
  /** What the rows say of each submission. */
  readonly answers = new Map<string, SubmissionAnswer>([['s1', PENDING]]);
  readonly #delivery = this.instance();
  readonly #pager = this.instance(PAGER);

  instance(endpoint = SHOP): DeliverToEndpoint {
    const submissions = { find: async (id: string) => this.answers.get(id) ?? null };
    return new DeliverToEndpoint(
      {
        book: this.book,
        topics: new TopicStates({ submissions, alerts: this.alerts, clock: this.clock }, HOLDS),
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
    await this.book.add(submissionTopic(id), endpoint, 2);
  }

  /** The rows say this from now on, and everything that is due runs. */
  async becomes(answer: SubmissionAnswer, id = 's1'): Promise<void> {
    this.answers.set(id, answer);
    await this.pass(10 * 60_000);
  }

  /** Time goes on, and what is due then runs once. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.run();
  }

  async run(): Promise<void> {
    await this.#delivery.run(new AbortController().signal);
    await this.#pager.run(new AbortController().signal);
  }

  watch(instance = 'a'): WatchAlerts {
    const { source, alerts, book } = this;
    return new WatchAlerts({ source, alerts, book, logger: silentLogger }, [PAGER, SHOP], {
      ...HOLDS,
      instance,
    });
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

/** A gate that a test opens. */
export class Deferred {
  open = (): void => {};
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}
