import { BackgroundTask, type Logger } from '@sotto/kernel';
import type { Alert, AlertHolds } from '../domain/alert.js';
import type { WebhookEndpoint } from '../domain/delivery.js';
import type { AlertBook } from '../ports/alert-book.port.js';
import type { AlertSource } from '../ports/alert-source.port.js';
import type { DeliveryBook } from '../ports/delivery-book.port.js';

const SECOND_MS = 1_000;
/** Alerts have one row for each endpoint, and there is no bound but the number of endpoints. */
const MOST_ENDPOINTS = 1_000;

export interface AlertPorts {
  readonly source: AlertSource;
  readonly alerts: AlertBook;
  readonly book: DeliveryBook;
  readonly logger: Logger;
}

/** Notes which alerts this instance sees, for the endpoints that hear of alerts. */
export class WatchAlerts extends BackgroundTask {
  readonly name = 'alerts';
  readonly intervalMs = 5 * SECOND_MS;
  /** What was seen last. */
  #last: readonly Alert[] = [];

  constructor(
    private readonly ports: AlertPorts,
    private readonly endpoints: readonly WebhookEndpoint[],
    private readonly settings: AlertHolds & { readonly instance: string },
  ) {
    super();
  }

  async run(): Promise<void> {
    const { alerts, book } = this.ports;
    const seen = await this.#see();
    await alerts.note(this.settings.instance, seen, this.settings.resolveMs);
    for (const { code: subject, component } of seen)
      for (const { name, events } of this.endpoints)
        if (events === 'alerts')
          await book.add({ kind: 'alert', subject, component }, name, MOST_ENDPOINTS);
  }

  /** What can't be read has not been resolved: what was seen last stands. */
  async #see(): Promise<readonly Alert[]> {
    try {
      this.#last = await this.ports.source.alerts();
    } catch (error) {
      this.ports.logger.warn(
        { error: error instanceof Error ? error : new Error('unknown') },
        'alerts could not be read',
      );
    }
    return this.#last;
  }
}
