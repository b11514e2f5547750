import { LedgerUnavailable } from '../errors.js';
import type { StoreHealth, StoreSize } from '../ports/store-health.port.js';

/** A store in no database, whose disk a test may fill. */
export class InMemoryStoreHealth implements StoreHealth {
  /** Probes that wrote. */
  writes = 0;
  #causeCode: string | null = null;

  /** From now on every call rejects for this cause; for null, none does. */
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
