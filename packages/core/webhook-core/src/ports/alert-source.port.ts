import type { Alert } from '../domain/alert.js';

/** What stands in the service's way now, as this instance sees it. */
export abstract class AlertSource {
  abstract alerts(): Promise<readonly Alert[]>;
}
