import type { Alert, AlertSighting, SeenAlert } from '../domain/alert.js';

/**
 * Stores the alerts that each instance sees, because messages reflect all instances. All times are
 * from the store's clock. The methods reject with `LedgerUnavailable` if the store is unavailable.
 */
export abstract class AlertStore {
  /**
   * Records that the instance sees these alerts now; each alert occurs only once. The period of an
   * alert starts at the age that the instance reports, if the alert is new or was not seen for
   * longer than `lapseMs`.
   */
  abstract note(instance: string, alerts: readonly SeenAlert[], lapseMs: number): Promise<void>;
  abstract sightings(
    alert: Alert,
  ): Promise<{ readonly nowMs: number; readonly sightings: readonly AlertSighting[] }>;
  /**
   * Deletes the sightings of alerts that were last seen longer than `olderThanMs` ago. Returns the
   * number of deleted sightings.
   */
  abstract forget(olderThanMs: number): Promise<number>;
}
