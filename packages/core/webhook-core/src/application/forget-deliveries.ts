import { BackgroundTask } from '@sotto/kernel';
import type { AlertStore } from '../ports/alert-store.port.js';
import type { DeliveryStore } from '../ports/delivery-store.port.js';

const HOUR_MS = 3_600_000;
/**
 * Retention of rows, in ms. This is longer than a submission needs to become final, and longer than
 * an undelivered message is retried.
 */
const KEPT_MS = 7 * 24 * HOUR_MS;
/** Maximum number of rows deleted per sweep, so that a sweep does not block the store for long. */
const ROWS_AT_A_TIME = 1_000;

/**
 * Deletes old rows that were never completed, such as rows of endpoints that are no longer
 * registered.
 */
export class ForgetDeliveries extends BackgroundTask {
  readonly name = 'sweep of webhooks';
  readonly intervalMs = HOUR_MS;

  constructor(
    private readonly store: DeliveryStore,
    private readonly alerts: AlertStore,
  ) {
    super();
  }

  async run(): Promise<void> {
    await this.store.forget(KEPT_MS, ROWS_AT_A_TIME);
    await this.alerts.forget(KEPT_MS);
  }
}
