import { BackgroundTask, type Clock } from '@sotto/kernel';
import type { Alert, AlertHolds } from '../domain/alert.js';
import { alertTopic, type Delivery, type WebhookEndpoint } from '../domain/delivery.js';
import { MemoryAlertBook } from './memory-alert-book.js';
import { MemoryDeliveryBook } from './memory-delivery-book.js';

/** Names the one instance that the memory is of. */
const SELF = '';

/**
 * What one instance sees by itself, and the rows of it as the store had them last: while the store
 * is away, alerts are delivered from here, under the ids that the store has or will have.
 */
export class AlertMemory {
  readonly book: MemoryDeliveryBook;
  readonly alerts: MemoryAlertBook;
  #isStoreAway = false;
  #reachedSinceMs = Infinity;
  #reachedAtMs = -Infinity;

  constructor(
    private readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
    private readonly holds: Pick<AlertHolds, 'resolveMs'>,
  ) {
    this.book = new MemoryDeliveryBook(clock);
    this.alerts = new MemoryAlertBook(clock);
  }

  get isStoreAway(): boolean {
    return this.#isStoreAway;
  }

  /**
   * What others see is known once they, too, have had the time to keep it: after a start, after a
   * pause of this process, and after the store was away.
   */
  get knowsOthers(): boolean {
    const nowMs = this.clock.monotonicMs();
    const { resolveMs } = this.holds;
    return nowMs - this.#reachedAtMs < resolveMs && nowMs - this.#reachedSinceMs >= resolveMs;
  }

  /** Every alert that is seen now gets its rows. */
  async note(seen: readonly Alert[], endpoints: readonly WebhookEndpoint[]): Promise<void> {
    await this.alerts.note(SELF, seen, this.holds.resolveMs);
    await this.alerts.forget(this.holds.resolveMs);
    for (const alert of seen)
      for (const { name } of endpoints)
        await this.book.add(alertTopic(alert), name, endpoints.length);
  }

  /** For how long it has been seen without a pause; 0 for what is over. */
  async standsMs(alert: Alert): Promise<number> {
    const { nowMs, sightings } = await this.alerts.sightings(alert);
    const [sighting] = sightings;
    return sighting === undefined ? 0 : Math.max(0, nowMs - sighting.sinceMs);
  }

  /** Rows that the store should have: of what is seen, and of what was said while it was away. */
  rowsOf(seen: readonly Alert[]): readonly Delivery[] {
    const isSeen = ({ subject, component }: Delivery): boolean =>
      seen.some((alert) => alert.code === subject && alert.component === component);
    return this.book.rows().filter((row) => isSeen(row) || (this.#isStoreAway && row.sequence > 0));
  }

  /** The store has these now. */
  reached(rows: readonly Delivery[]): void {
    this.#isStoreAway = false;
    const nowMs = this.clock.monotonicMs();
    const goesOn = nowMs - this.#reachedAtMs < this.holds.resolveMs;
    this.#reachedSinceMs = goesOn ? this.#reachedSinceMs : nowMs;
    this.#reachedAtMs = nowMs;
    this.book.clear();
    for (const row of rows) this.book.put(row);
  }

  lost(): void {
    this.#isStoreAway = true;
    this.#reachedAtMs = -Infinity;
  }
}

/** Delivers an endpoint's alerts from memory while the store is away. */
export class DeliverFromMemory extends BackgroundTask {
  readonly name: string;
  readonly intervalMs: number;

  constructor(
    private readonly memory: Pick<AlertMemory, 'isStoreAway'>,
    private readonly delivery: BackgroundTask,
  ) {
    super();
    this.name = `${delivery.name}, from memory`;
    this.intervalMs = delivery.intervalMs;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.memory.isStoreAway) await this.delivery.run(signal);
  }
}
