import type { LeverageTarget, LeverageTargets } from '@sotto/curator-core';
import type { Felt } from '@sotto/kernel';
import type { Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';

/** Leverage targets of vaults, on a SQL database. */
export class SqlLeverageTargets implements LeverageTargets {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  async of(vault: Felt): Promise<LeverageTarget | null> {
    const row = await this.db
      .selectFrom('leverage_targets')
      .selectAll()
      .where('vault', '=', vault)
      .executeTakeFirst();
    return row === undefined
      ? null
      : { vault, targetBps: Number(row.target_bps), setAtMs: Number(row.set_at_ms) };
  }

  async set(vault: Felt, targetBps: number | null): Promise<void> {
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
  }
}
