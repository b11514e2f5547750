import { Cached, FAILURE_FRESH_MS, systemClock, type Clock } from '@sotto/kernel';
import { LedgerUnavailable, type StoreHealth, type StoreSize } from '@sotto/submission-core';
import { mapStoreErrors } from './map-store-errors.js';
import type { SchemaWatch } from './migrations/schema-watch.js';
import type { SqlDialect } from './sql-dialect.js';

/**
 * Maximum age of a cached probe result, in milliseconds. The cache limits probes to at most one
 * write per second, regardless of the number of callers.
 */
const BELIEVED_MS = 1_000;

/**
 * Minimum free disk space in bytes, several times the size of a withdrawal's rows. Below this
 * minimum the disk is reported as full, because the log may have space for a probe but not for a
 * withdrawal.
 */
const DISK_RESERVE_BYTES = 1_048_576;

export class SqlStoreHealth implements StoreHealth {
  readonly #probes: Cached<LedgerUnavailable | null>;

  constructor(
    private readonly schema: Pick<SchemaWatch, 'renew'>,
    private readonly dialect: Pick<SqlDialect, 'sizes' | 'diskFreeBytes'>,
    clock: Pick<Clock, 'monotonicMs'> = systemClock,
  ) {
    this.#probes = new Cached({
      clock,
      countedFrom: 'end',
      freshMs: (failure) => (failure === null ? BELIEVED_MS : FAILURE_FRESH_MS),
    });
  }

  async probe(): Promise<void> {
    const failure = await this.#probes.get('', () => this.#write());
    if (failure !== null) throw failure;
  }

  size(): Promise<readonly StoreSize[]> {
    return this.dialect.sizes();
  }

  async #write(): Promise<LedgerUnavailable | null> {
    try {
      await mapStoreErrors(async () => {
        await this.schema.renew();
        const freeBytes = await this.dialect.diskFreeBytes();
        if (freeBytes !== null && freeBytes < DISK_RESERVE_BYTES)
          throw Object.assign(new Error('the disk is almost full'), { code: 'ENOSPC' });
      });
      return null;
    } catch (error) {
      if (error instanceof LedgerUnavailable) return error;
      throw error;
    }
  }
}
