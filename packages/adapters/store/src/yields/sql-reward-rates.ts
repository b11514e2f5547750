import type { LendingPool, RewardRate, RewardRates } from '@sotto/staking-core';
import type { Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';

/** Last known reward rates of lending pools, stored in a SQL database. */
export class SqlRewardRates implements RewardRates {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async last({ pool, asset }: LendingPool): Promise<RewardRate | null> {
    const row = await this.db
      .selectFrom('reward_rates')
      .select(['apr_e18', 'read_at_ms'])
      .where('pool', '=', pool)
      .where('asset', '=', asset)
      .executeTakeFirst();
    return row === undefined
      ? null
      : { aprE18: BigInt(row.apr_e18), readAtMs: Number(row.read_at_ms) };
  }

  async keep({ pool, asset }: LendingPool, { aprE18, readAtMs }: RewardRate): Promise<void> {
    const figures = { apr_e18: aprE18.toString(), read_at_ms: BigInt(readAtMs) };
    await this.db
      .insertInto('reward_rates')
      .values({ pool, asset, ...figures })
      .onConflict((conflict) => conflict.columns(['pool', 'asset']).doUpdateSet(figures))
      .execute();
  }
}
