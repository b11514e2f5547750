import { LedgerUnavailable } from '../errors.js';
import type { StoreHealth, StoreSize } from '../ports/store-health.port.js';

/** Store without a database, whose disk a test may fill. */
export class InMemoryStoreHealth implements StoreHealth {
  /** Number of probes that wrote. */
  writes = 0;
  #causeCode: string | null = null;

  /** Makes every call reject for this cause; null ends it. */
  failFor(causeCode: string | null): void {
    this.#causeCode = causeCode;
  }

  async probe(): Promise<void> {
    this.#answer();
    this.writes += 1;
  }

  async size(): Promise<readonly StoreSize[]> {
    this.#answer();
    return [{ kind: 'database', bytes: 4_096 * (1 + this.writes) }];
  }

  #answer(): void {
    if (this.#causeCode !== null) throw new LedgerUnavailable({ causeCode: this.#causeCode });
  }
}
