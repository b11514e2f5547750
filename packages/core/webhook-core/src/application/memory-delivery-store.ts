import { unguessableId, type Clock } from '@sotto/kernel';
import type { Delivery, Topic } from '../domain/delivery.js';
import type { Claim, DeliveryStore } from '../ports/delivery-store.port.js';

interface Row {
  delivery: Omit<Delivery, 'waitedMs'>;
  wantedSinceMs: number | null;
  dueAtMs: number;
  addedAtMs: number;
}

/** Delivery store in memory, which is lost when the process ends. */
export class MemoryDeliveryStore implements DeliveryStore {
  readonly #rows = new Map<string, Row>();

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  async add(
    topic: Topic,
    endpoint: string,
    most: number,
    begun?: Delivery,
  ): Promise<'added' | 'known' | 'full'> {
    const ofTopic = [...this.#rows.values()].filter(
      ({ delivery: { kind, subject, component } }) =>
        kind === topic.kind && subject === topic.subject && component === topic.component,
    );
    if (ofTopic.some(({ delivery }) => delivery.endpoint === endpoint)) return 'known';
    if (ofTopic.length >= most) return 'full';
    this.put(begun ?? newDelivery(topic, endpoint));
    return 'added';
  }

  /** Stores the row under its existing id and makes it due at once. */
  put({ waitedMs, ...delivery }: Delivery): void {
    const nowMs = this.clock.nowMs();
    this.#rows.set(delivery.id, {
      delivery,
      wantedSinceMs: waitedMs === null ? null : nowMs - waitedMs,
      dueAtMs: nowMs,
      addedAtMs: nowMs,
    });
  }

  rows(): readonly Delivery[] {
    return [...this.#rows.values()].map((row) => this.#seen(row));
  }

  clear(): void {
    this.#rows.clear();
  }

  async ofKind(kind: Topic['kind']): Promise<readonly Delivery[]> {
    return this.rows().filter((row) => row.kind === kind);
  }

  async count(endpoint: string): Promise<number> {
    return [...this.#rows.values()].filter(({ delivery }) => delivery.endpoint === endpoint).length;
  }

  async countUndelivered(endpoint: string): Promise<number> {
    return this.rows().filter((row) => row.endpoint === endpoint && isUndelivered(row)).length;
  }

  async claim(endpoint: string, { limit, leaseMs }: Claim): Promise<readonly Delivery[]> {
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

  async makeDue(endpoint: string): Promise<void> {
    const nowMs = this.clock.nowMs();
    for (const row of this.#rows.values())
      if (row.delivery.endpoint === endpoint && isUndelivered(row.delivery))
        row.dueAtMs = Math.min(row.dueAtMs, nowMs);
  }

  async forget(olderThanMs: number, limit: number): Promise<number> {
    const beforeMs = this.clock.nowMs() - olderThanMs;
    const old = [...this.#rows]
      .filter(
        ([, { delivery, addedAtMs, dueAtMs }]) =>
          addedAtMs < beforeMs && (delivery.kind === 'submission' || dueAtMs < beforeMs),
      )
      .slice(0, limit);
    for (const [id] of old) this.#rows.delete(id);
    return old.length;
  }

  #held({ id, version }: Delivery): Row | null {
    const row = this.#rows.get(id);
    return row?.delivery.version === version ? row : null;
  }

  #write(row: Row, change: Partial<Delivery>, dueInMs: number): Delivery {
    const nowMs = this.clock.nowMs();
    row.delivery = { ...row.delivery, ...change, version: row.delivery.version + 1 };
    row.dueAtMs = nowMs + dueInMs;
    return this.#seen(row);
  }

  #seen({ delivery, wantedSinceMs }: Row): Delivery {
    const waitedMs = wantedSinceMs === null ? null : this.clock.nowMs() - wantedSinceMs;
    return { ...delivery, waitedMs };
  }
}

const isUndelivered = (row: Pick<Delivery, 'deliveredState' | 'wantedState'>): boolean =>
  row.deliveredState === null || row.wantedState !== null;

const newDelivery = (topic: Topic, endpoint: string): Delivery => ({
  ...topic,
  id: unguessableId(),
  endpoint,
  version: 1,
  sequence: 0,
  deliveredState: null,
  wantedState: null,
  waitedMs: null,
  failures: 0,
});
