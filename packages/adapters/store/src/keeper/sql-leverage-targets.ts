import type { LeverageTarget, LeverageTargets } from '@sotto/curator-core';
import type { Felt } from '@sotto/kernel';
import type { Kysely } from 'kysely';
import { mapStoreErrors } from '../map-store-errors.js';
import type { StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';

/**
 * How far vaults are leveraged, on a SQL database. Any error of the store becomes
 * `LedgerUnavailable`.
 */
export class SqlLeverageTargets implements LeverageTargets {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  of(vault: Felt): Promise<LeverageTarget | null> {
    return mapStoreErrors(async () => {
      const row = await this.db
        .selectFrom('leverage_targets')
        .selectAll()
        .where('vault', '=', vault)
        .executeTakeFirst();
      return row === undefined
        ? null
        : { vault, targetBps: Number(row.target_bps), setAtMs: Number(row.set_at_ms) };
    });
  }

  set(vault: Felt, targetBps: number | null): Promise<void> {
    return mapStoreErrors(async () => {
      if (targetBps === null) {
        await this.db.deleteFrom('leverage_targets').where('vault', '=', vault).execute();
        return;
      }
      const target = { target_bps: BigInt(targetBps), set_at_ms: timeOf(this.dialect) };
      await this.db
        .insertInto('leverage_targets')
        .values({ vault, ...target })
        .onConflict((conflict) => conflict.column('vault').doUpdateSet(target))
        .execute();
    });
  }
}
