import { BackgroundTask, type Clock } from '@sotto/kernel';
import type { Alert, AlertHolds } from '../domain/alert.js';
import { alertTopic, type Delivery, type WebhookEndpoint } from '../domain/delivery.js';
import { MemoryAlertStore } from './memory-alert-store.js';
import { MemoryDeliveryStore } from './memory-delivery-store.js';

/** Instance name under which the memory stores the alerts that its own instance observes. */
const SELF = '';

/**
 * Memory of the alerts that one instance observes, with a copy of the store's rows as last read.
 * While the store is unavailable, alerts are delivered from this memory. The message ids are those
 * that the store has, or will get when it is available again.
 */
export class AlertMemory {
  readonly store: MemoryDeliveryStore;
  readonly alerts: MemoryAlertStore;
  #isStoreAway = false;
  #reachedSinceMs = Infinity;
  #reachedAtMs = -Infinity;

  constructor(
    private readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
    private readonly holds: Pick<AlertHolds, 'resolveMs'>,
  ) {
    this.store = new MemoryDeliveryStore(clock);
    this.alerts = new MemoryAlertStore(clock);
  }

  get isStoreAway(): boolean {
    return this.#isStoreAway;
  }

  /**
   * True if the store has been available for the whole resolve hold, without a pause. The other
   * instances have then had enough time to record their alerts again. This matters after a start,
   * after a pause of this process, and after an outage of the store.
   */
  get knowsOthers(): boolean {
    const nowMs = this.clock.monotonicMs();
    const { resolveMs } = this.holds;
    return nowMs - this.#reachedAtMs < resolveMs && nowMs - this.#reachedSinceMs >= resolveMs;
  }

  /** Records the alerts that are seen now, and adds a row for each alert and endpoint. */
  async note(seen: readonly Alert[], endpoints: readonly WebhookEndpoint[]): Promise<void> {
    await this.alerts.note(SELF, seen, this.holds.resolveMs);
    await this.alerts.forget(this.holds.resolveMs);
    for (const alert of seen)
      for (const { name } of endpoints)
        await this.store.add(alertTopic(alert), name, endpoints.length);
  }

  /**
   * Returns for how long the alert has been observed without a pause, in ms. Returns 0 for an alert
   * that is over.
   */
  async standsMs(alert: Alert): Promise<number> {
    const { nowMs, sightings } = await this.alerts.sightings(alert);
    const [reportedStatus] = sightings;
    return reportedStatus === undefined ? 0 : Math.max(0, nowMs - reportedStatus.sinceMs);
  }

  /**
   * Returns the rows that the store should contain: rows of current alerts, and rows of messages
   * that were sent while the store was unavailable.
   */
  rowsOf(seen: readonly Alert[]): readonly Delivery[] {
    const isSeen = ({ subject, component }: Delivery): boolean =>
      seen.some((alert) => alert.code === subject && alert.component === component);
    return this.store
      .rows()
      .filter((row) => isSeen(row) || (this.#isStoreAway && row.sequence > 0));
  }

  /** Records that the store is available, and replaces the rows in memory by the store's rows. */
  reached(rows: readonly Delivery[]): void {
    this.#isStoreAway = false;
    const nowMs = this.clock.monotonicMs();
    const goesOn = nowMs - this.#reachedAtMs < this.holds.resolveMs;
    this.#reachedSinceMs = goesOn ? this.#reachedSinceMs : nowMs;
    this.#reachedAtMs = nowMs;
    this.store.clear();
    for (const row of rows) this.store.put(row);
  }

  lost(): void {
    this.#isStoreAway = true;
    this.#reachedAtMs = -Infinity;
  }
}

/** Delivers an endpoint's alerts from memory while the store is unavailable. */
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
