import type { SubmissionLock, SubmissionLocks } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';

/** Named locks with one holder at a time, stored in a SQL database. */
export class SqlSubmissionLocks implements SubmissionLocks {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async take(name: string, holder: string, nowMs: number): Promise<SubmissionLock> {
    const claim = { holder, since_ms: BigInt(nowMs) };
    const row = await this.db
      .insertInto('claims')
      .values({ name, ...claim })
      // A row of another holder is rewritten unchanged, so that it is returned.
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
  }

  async replace(
    name: string,
    standing: SubmissionLock,
    holder: string,
    nowMs: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('claims')
      .set({ holder, since_ms: BigInt(nowMs) })
      .where('name', '=', name)
      .where('holder', '=', standing.holder)
      .where('since_ms', '=', BigInt(standing.sinceMs))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async release(name: string, holder: string): Promise<void> {
    await this.db
      .deleteFrom('claims')
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute();
  }

  async forget(heldBeforeMs: number): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('claims')
      .where('since_ms', '<', BigInt(heldBeforeMs))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
