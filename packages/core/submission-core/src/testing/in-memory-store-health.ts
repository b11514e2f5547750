import { LedgerUnavailable } from '../errors.js';
import type { StoreHealth, StoreSize } from '../ports/store-health.port.js';

/**
 * Health of a store without a database. A test can make the store fail, for example as if its disk
 * was full.
 */
export class InMemoryStoreHealth implements StoreHealth {
  /** Number of probes that have written a row. */
  writes = 0;
  #causeCode: string | null = null;

  /** Makes every call reject with this cause. Null makes later calls succeed again. */
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
