import { BackgroundTask, type Logger } from '@sotto/kernel';
import type { Alert, AlertHolds } from '../domain/alert.js';
import { topicOf, type Delivery, type WebhookEndpoint } from '../domain/delivery.js';
import type { AlertStore } from '../ports/alert-store.port.js';
import type { AlertSource } from '../ports/alert-source.port.js';
import type { DeliveryStore } from '../ports/delivery-store.port.js';
import type { AlertMemory } from './alert-memory.js';

const SECOND_MS = 1_000;
/**
 * Maximum number of endpoints per alert. An alert has one row per registered endpoint. In practice,
 * the number of configured endpoints is therefore the limit.
 */
const MOST_ENDPOINTS = 1_000;
/** Maximum number of alerts per check, far above the number of simultaneous alerts. */
const MOST_ALERTS = 200;

export interface AlertPorts {
  readonly source: AlertSource;
  readonly alerts: AlertStore;
  readonly store: DeliveryStore;
  readonly memory: AlertMemory;
  readonly logger: Logger;
}

/** Records the alerts that this instance sees, for endpoints that are registered for alerts. */
export class WatchAlerts extends BackgroundTask {
  readonly name = 'alerts';
  /**
   * Interval between checks, in ms. Hold times start and end at a check. A message may therefore be
   * late by this interval and the duration of a check.
   */
  readonly intervalMs = SECOND_MS;
  readonly #endpoints: readonly WebhookEndpoint[];
  /** Alerts that the last successful check found. */
  #last: readonly Alert[] = [];

  constructor(
    private readonly ports: AlertPorts,
    endpoints: readonly WebhookEndpoint[],
    private readonly settings: Pick<AlertHolds, 'resolveMs'> & { readonly instance: string },
  ) {
    super();
    this.#endpoints = endpoints.filter(({ events }) => events === 'alerts');
  }

  async run(): Promise<void> {
    const { memory } = this.ports;
    const seen = await this.#see();
    await memory.note(seen, this.#endpoints);
    try {
      memory.reached(await this.#keep(seen, memory.rowsOf(seen)));
    } catch (error) {
      memory.lost();
      throw error;
    }
  }

  /**
   * Writes the observed alerts and the missing rows to the store. Returns the rows that the store
   * then contains.
   */
  async #keep(seen: readonly Alert[], rows: readonly Delivery[]): Promise<readonly Delivery[]> {
    const { alerts, store, memory } = this.ports;
    const { instance, resolveMs } = this.settings;
    const noted = unique([...seen, ...rows.map(alertOf)]).map(async (alert) => ({
      ...alert,
      standsMs: await memory.standsMs(alert),
    }));
    await alerts.note(instance, await Promise.all(noted), resolveMs);
    if (rows.length === 0) return [];
    let known = await this.#known();
    const missing = rows.filter((row) => !known.has(placeOf(row)));
    for (const row of missing) await store.add(topicOf(row), row.endpoint, MOST_ENDPOINTS, row);
    if (missing.length > 0) known = await this.#known();
    return rows.flatMap((row) => known.get(placeOf(row)) ?? []);
  }

  /** Returns the alert rows of the store, by endpoint and alert. */
  async #known(): Promise<ReadonlyMap<string, Delivery>> {
    return new Map((await this.ports.store.ofKind('alert')).map((row) => [placeOf(row), row]));
  }

  /**
   * Returns the current alerts. If the alerts can't be read, the alerts of the last successful
   * check are returned, so that they are not resolved.
   */
  async #see(): Promise<readonly Alert[]> {
    try {
      this.#last = unique(await this.ports.source.alerts()).slice(0, MOST_ALERTS);
    } catch (error) {
      this.ports.logger.warn(
        { error: error instanceof Error ? error : new Error('unknown') },
        'alerts could not be read',
      );
    }
    return this.#last;
  }
}

const alertOf = ({ subject: code, component }: Delivery): Alert => ({ code, component });

/** Returns the key of a row: one row exists per alert and endpoint. */
const placeOf = ({ subject, component, endpoint }: Delivery): string =>
  `${endpoint} ${subject} ${component}`;

/**
 * Returns the alerts without duplicates, since two checks may find the same alert in one component.
 */
function unique(alerts: readonly Alert[]): readonly Alert[] {
  return [...new Map(alerts.map((alert) => [`${alert.code} ${alert.component}`, alert])).values()];
}
