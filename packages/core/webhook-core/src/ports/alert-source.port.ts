import type { Alert } from '../domain/alert.js';

/** Source of the problems that this instance of the service has now. */
export abstract class AlertSource {
  abstract alerts(): Promise<readonly Alert[]>;
}
