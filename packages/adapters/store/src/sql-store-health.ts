import { Cached, FAILURE_FRESH_MS, systemClock, type Clock } from '@sotto/kernel';
import { LedgerUnavailable, type StoreHealth, type StoreSize } from '@sotto/submission-core';
import { sql, type Kysely } from 'kysely';
import { mapStoreErrors } from './map-store-errors.js';
import type { StoreSchema } from './schema.js';
import type { SqlDialect } from './sql-dialect.js';

/** A write each second at most, whatever asks. */
const BELIEVED_MS = 1_000;

/**
 * What a withdrawal writes several times over. A disk that has no more than this is called full:
 * the log may still have place for the canary's page when it has none for a withdrawal.
 */
const DISK_RESERVE_BYTES = 1_048_576;

export class SqlStoreHealth implements StoreHealth {
  readonly #probes: Cached<LedgerUnavailable | null>;

  constructor(
    private readonly db: Kysely<StoreSchema>,
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
    return mapStoreErrors(() => this.dialect.sizes());
  }

  async #write(): Promise<LedgerUnavailable | null> {
    try {
      await mapStoreErrors(async () => {
        await this.db
          .insertInto('canary')
          .values({ id: 1n, writes: 1n })
          // The same value is written again: SQLite's commits count themselves, each by one.
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ writes: sql`canary.writes` }),
          )
          .execute();
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
