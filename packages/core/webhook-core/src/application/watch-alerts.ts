import { BackgroundTask, type Logger } from '@sotto/kernel';
import type { Alert, AlertHolds } from '../domain/alert.js';
import { topicOf, type Delivery, type WebhookEndpoint } from '../domain/delivery.js';
import type { AlertBook } from '../ports/alert-book.port.js';
import type { AlertSource } from '../ports/alert-source.port.js';
import type { DeliveryBook } from '../ports/delivery-book.port.js';
import type { AlertMemory } from './alert-memory.js';

const SECOND_MS = 1_000;
/** Alerts have one row for each endpoint, and there is no bound but the number of endpoints. */
const MOST_ENDPOINTS = 1_000;
/** Far more than there are reasons at once. */
const MOST_ALERTS = 200;

export interface AlertPorts {
  readonly source: AlertSource;
  readonly alerts: AlertBook;
  readonly book: DeliveryBook;
  readonly memory: AlertMemory;
  readonly logger: Logger;
}

/** Notes which alerts this instance sees, for the endpoints that hear of alerts. */
export class WatchAlerts extends BackgroundTask {
  readonly name = 'alerts';
  /** A hold is judged by what was seen: it lasts longer by this, and by how long a look takes. */
  readonly intervalMs = SECOND_MS;
  readonly #endpoints: readonly WebhookEndpoint[];
  /** What was seen last. */
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

  /** Returns the rows as the store has them. */
  async #keep(seen: readonly Alert[], rows: readonly Delivery[]): Promise<readonly Delivery[]> {
    const { alerts, book, memory } = this.ports;
    const { instance, resolveMs } = this.settings;
    const noted = unique([...seen, ...rows.map(alertOf)]).map(async (alert) => ({
      ...alert,
      standsMs: await memory.standsMs(alert),
    }));
    await alerts.note(instance, await Promise.all(noted), resolveMs);
    if (rows.length === 0) return [];
    let known = await this.#known();
    const missing = rows.filter((row) => !known.has(placeOf(row)));
    for (const row of missing) await book.add(topicOf(row), row.endpoint, MOST_ENDPOINTS, row);
    if (missing.length > 0) known = await this.#known();
    return rows.flatMap((row) => known.get(placeOf(row)) ?? []);
  }

  /** Rows of the store, by what they are of. */
  async #known(): Promise<ReadonlyMap<string, Delivery>> {
    return new Map((await this.ports.book.ofKind('alert')).map((row) => [placeOf(row), row]));
  }

  /** What can't be read has not been resolved: what was seen last stands. */
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

/** There is one row of an alert and an endpoint. */
const placeOf = ({ subject, component, endpoint }: Delivery): string =>
  `${endpoint} ${subject} ${component}`;

/** Each once: two parts may find the same of one component. */
function unique(alerts: readonly Alert[]): readonly Alert[] {
  return [...new Map(alerts.map((alert) => [`${alert.code} ${alert.component}`, alert])).values()];
}
