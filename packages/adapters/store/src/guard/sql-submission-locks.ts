import type { SubmissionLock, SubmissionLocks } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import { mapStoreErrors } from '../map-store-errors.js';
import type { StoreSchema } from '../schema.js';

/**
 * Names that one holds at a time, on a SQL database. Any error of the store becomes
 * `LedgerUnavailable`.
 */
export class SqlSubmissionLocks implements SubmissionLocks {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  take(name: string, holder: string, nowMs: number): Promise<SubmissionLock> {
    return mapStoreErrors(async () => {
      const claim = { holder, since_ms: BigInt(nowMs) };
      const row = await this.db
        .insertInto('claims')
        .values({ name, ...claim })
        // A row that another holds is written as it is, so that it is returned.
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet((eb) => ({
            since_ms: eb
              .case()
              .when('claims.holder', '=', holder)
              .then(eb.ref('excluded.since_ms'))
              .else(eb.ref('claims.since_ms'))
              .end(),
          })),
        )
        .returning(['holder', 'since_ms'])
        .executeTakeFirstOrThrow();
      return { holder: row.holder, sinceMs: Number(row.since_ms) };
    });
  }

  replace(name: string, standing: SubmissionLock, holder: string, nowMs: number): Promise<boolean> {
    return mapStoreErrors(async () => {
      const { numUpdatedRows } = await this.db
        .updateTable('claims')
        .set({ holder, since_ms: BigInt(nowMs) })
        .where('name', '=', name)
        .where('holder', '=', standing.holder)
        .where('since_ms', '=', BigInt(standing.sinceMs))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }

  release(name: string, holder: string): Promise<void> {
    return mapStoreErrors(async () => {
      await this.db
        .deleteFrom('claims')
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute();
    });
  }

  forget(heldBeforeMs: number): Promise<number> {
    return mapStoreErrors(async () => {
      const { numDeletedRows } = await this.db
        .deleteFrom('claims')
        .where('since_ms', '<', BigInt(heldBeforeMs))
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  }
}
