import type { Alert, AlertSighting, SeenAlert } from '../domain/alert.js';

/**
 * Stores the alerts that each instance observes, because messages reflect the alerts of all
 * instances. All times are from the store's clock. The methods reject with `LedgerUnavailable` if
 * the store is unavailable.
 */
export abstract class AlertStore {
  /**
   * Records that the instance observes these alerts now; each alert occurs only once. If an alert
   * is new, or was not observed for longer than `lapseMs`, a new period begins. The start of this
   * period is computed from the age that the instance reports.
   */
  abstract note(instance: string, alerts: readonly SeenAlert[], lapseMs: number): Promise<void>;
  abstract sightings(
    alert: Alert,
  ): Promise<{ readonly nowMs: number; readonly sightings: readonly AlertSighting[] }>;
  /**
   * Deletes records of alerts that were last observed longer than `olderThanMs` ago. Returns the
   * number of deleted records.
   */
  abstract forget(olderThanMs: number): Promise<number>;
}
