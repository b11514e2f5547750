import type { Alert } from '../domain/alert.js';

/** Reads the current problems of the service, as this instance sees them. */
export abstract class AlertSource {
  abstract alerts(): Promise<readonly Alert[]>;
}
