import { Cached, FAILURE_FRESH_MS, systemClock, type Clock } from '@sotto/kernel';
import { LedgerUnavailable, type StoreHealth, type StoreSize } from '@sotto/submission-core';
import { mapStoreErrors } from './map-store-errors.js';
import type { SchemaWatch } from './migrations/schema-watch.js';
import type { SqlDialect } from './sql-dialect.js';

/** A write each second at most, however many callers probe. */
const BELIEVED_MS = 1_000;

/**
 * Several times what a withdrawal writes. A disk with less free space is reported as full: the log
 * may have room for the page of a probe when it has none for a withdrawal.
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
          throw Object.assign(new Error('the disk is all but full'), { code: 'ENOSPC' });
      });
      return null;
    } catch (error) {
      if (error instanceof LedgerUnavailable) return error;
      throw error;
    }
  }
}
