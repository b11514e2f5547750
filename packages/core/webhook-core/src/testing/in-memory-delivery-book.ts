import { unguessableId, type Clock, type DomainError } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { Delivery, Topic } from '../domain/delivery.js';
import type { Claim, DeliveryBook } from '../ports/delivery-book.port.js';

interface Row {
  delivery: Omit<Delivery, 'waitedMs'>;
  wantedSinceMs: number | null;
  dueAtMs: number;
  addedAtMs: number;
}

/** Rows until the process ends. Instances share it as they would share a store. */
export class InMemoryDeliveryBook implements DeliveryBook {
  readonly #rows = new Map<string, Row>();
  #failure: DomainError | null = null;

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  /** Every call rejects with it until null is given. */
  fail(failure: DomainError | null = new LedgerUnavailable()): void {
    this.#failure = failure;
  }

  async add(topic: Topic, endpoint: string, most: number): Promise<'added' | 'known' | 'full'> {
    this.#answer();
    const ofTopic = [...this.#rows.values()].filter(
      ({ delivery: { kind, subject, component } }) =>
        kind === topic.kind && subject === topic.subject && component === topic.component,
    );
    if (ofTopic.some(({ delivery }) => delivery.endpoint === endpoint)) return 'known';
    if (ofTopic.length >= most) return 'full';
    const id = unguessableId();
    const nowMs = this.clock.nowMs();
    this.#rows.set(id, {
      delivery: {
        ...topic,
        id,
        endpoint,
        version: 1,
        sequence: 0,
        deliveredState: null,
        wantedState: null,
        failures: 0,
      },
      wantedSinceMs: null,
      dueAtMs: nowMs,
      addedAtMs: nowMs,
    });
    return 'added';
  }

  async count(endpoint: string): Promise<number> {
    this.#answer();
    return [...this.#rows.values()].filter(({ delivery }) => delivery.endpoint === endpoint).length;
  }

  async claim(endpoint: string, { limit, leaseMs }: Claim): Promise<readonly Delivery[]> {
    this.#answer();
    const nowMs = this.clock.nowMs();
    const due = [...this.#rows.values()]
      .filter(({ delivery, dueAtMs }) => delivery.endpoint === endpoint && dueAtMs <= nowMs)
      .toSorted((a, b) => a.dueAtMs - b.dueAtMs)
      .slice(0, limit);
    return due.map((row) => this.#write(row, {}, leaseMs));
  }

  async want(delivery: Delivery, state: string, leaseMs: number): Promise<Delivery | null> {
    const row = this.#held(delivery);
    if (row === null) return null;
    row.wantedSinceMs = this.clock.nowMs();
    const sequence = row.delivery.sequence + 1;
    return this.#write(row, { wantedState: state, sequence, failures: 0 }, leaseMs);
  }

  async settle(delivery: Delivery, state: string | null, dueInMs: number): Promise<boolean> {
    const row = this.#held(delivery);
    if (row === null) return false;
    row.wantedSinceMs = null;
    this.#write(row, { deliveredState: state, wantedState: null, failures: 0 }, dueInMs);
    return true;
  }

  async postpone(delivery: Delivery, failures: number, dueInMs: number): Promise<boolean> {
    const row = this.#held(delivery);
    if (row === null) return false;
    this.#write(row, { failures }, dueInMs);
    return true;
  }

  async remove(delivery: Delivery): Promise<boolean> {
    return this.#held(delivery) !== null && this.#rows.delete(delivery.id);
  }

  async forget(olderThanMs: number, limit: number): Promise<number> {
    this.#answer();
    const old = [...this.#rows]
      .filter(([, { addedAtMs }]) => this.clock.nowMs() - addedAtMs > olderThanMs)
      .slice(0, limit);
    for (const [id] of old) this.#rows.delete(id);
    return old.length;
  }

  #held({ id, version }: Delivery): Row | null {
    this.#answer();
    const row = this.#rows.get(id);
    return row?.delivery.version === version ? row : null;
  }

  #write(row: Row, change: Partial<Delivery>, dueInMs: number): Delivery {
    const nowMs = this.clock.nowMs();
    row.delivery = { ...row.delivery, ...change, version: row.delivery.version + 1 };
    row.dueAtMs = nowMs + dueInMs;
    const { wantedSinceMs } = row;
    return { ...row.delivery, waitedMs: wantedSinceMs === null ? null : nowMs - wantedSinceMs };
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
