import type { Alert, AlertSighting, SeenAlert } from '../domain/alert.js';

/**
 * Which alerts each instance sees, in the store: messages say what all of them see together. Times
 * are the store's. Rejects with `LedgerUnavailable` when the store can't answer.
 */
export abstract class AlertBook {
  /**
   * The instance sees these alerts now, each named once. One that is not here, or was not seen for
   * longer than `lapseMs`, begins as long ago as the instance says.
   */
  abstract note(instance: string, alerts: readonly SeenAlert[], lapseMs: number): Promise<void>;
  abstract sightings(
    alert: Alert,
  ): Promise<{ readonly nowMs: number; readonly sightings: readonly AlertSighting[] }>;
  /** Deletes alerts that were last seen longer ago. Returns how many. */
  abstract forget(olderThanMs: number): Promise<number>;
}
