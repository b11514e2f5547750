import type { Alert, AlertSighting, SeenAlert } from '../domain/alert.js';

/**
 * Stores the alerts that each instance sees, because messages reflect all instances. Times are the
 * store's. Rejects with `LedgerUnavailable` if the store is unavailable.
 */
export abstract class AlertBook {
  /**
   * Records that the instance sees these alerts now, each named once. An alert that is new, or was
   * not seen for longer than `lapseMs`, starts at the age that the instance states.
   */
  abstract note(instance: string, alerts: readonly SeenAlert[], lapseMs: number): Promise<void>;
  abstract sightings(
    alert: Alert,
  ): Promise<{ readonly nowMs: number; readonly sightings: readonly AlertSighting[] }>;
  /** Deletes alerts that were last seen longer ago. Returns their number. */
  abstract forget(olderThanMs: number): Promise<number>;
}
