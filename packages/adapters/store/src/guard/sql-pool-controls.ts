import type { Felt } from '@sotto/kernel';
import type { PoolControl, PoolControls } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import type { PoolControlsTable, StoreSchema } from '../schema.js';
import type { SqlDialect } from '../sql-dialect.js';
import { Statement } from '../statement.js';

const NOTHING = {
  paused_at_ms: null,
  pause_reason: null,
  resumed_at_ms: 0n,
  upstream_failures: 0n,
  upstream_failed_at_ms: 0n,
};

/** Decisions of operators about pools, stored in a SQL database. */
export class SqlPoolControls implements PoolControls {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: Pick<SqlDialect, 'reads'>,
  ) {}

  async all(): Promise<readonly PoolControl[]> {
    const rows = await everyControl.all(this.dialect.reads(this.db), {});
    return rows.map(toPoolControl);
  }

  async pause(pool: Felt, reason: string, nowMs: number): Promise<void> {
    const paused = { paused_at_ms: BigInt(nowMs), pause_reason: reason };
    await this.db
      .insertInto('pool_controls')
      .values({ ...NOTHING, pool, ...paused })
      .onConflict((conflict) =>
        conflict.column('pool').doUpdateSet((eb) => ({
          pause_reason: reason,
          paused_at_ms: eb.fn.coalesce(
            'pool_controls.paused_at_ms',
            eb.ref('excluded.paused_at_ms'),
          ),
        })),
      )
      .execute();
  }

  async resume(pool: Felt, nowMs: number): Promise<void> {
    const resumed = { ...NOTHING, resumed_at_ms: BigInt(nowMs) };
    await this.db
      .insertInto('pool_controls')
      .values({ pool, ...resumed })
      .onConflict((conflict) => conflict.column('pool').doUpdateSet(resumed))
      .execute();
  }

  async upstreamFailed(pool: Felt, nowMs: number, atMost: number): Promise<void> {
    const upstream_failed_at_ms = BigInt(nowMs);
    await this.db
      .insertInto('pool_controls')
      .values({ ...NOTHING, pool, upstream_failures: 1n, upstream_failed_at_ms })
      .onConflict((conflict) =>
        conflict
          .column('pool')
          .doUpdateSet((eb) => ({
            upstream_failures: eb('pool_controls.upstream_failures', '+', 1n),
            upstream_failed_at_ms,
          }))
          .where('pool_controls.upstream_failures', '<=', BigInt(atMost)),
      )
      .execute();
  }

  async upstreamAnswered(pool: Felt): Promise<void> {
    await this.db
      .updateTable('pool_controls')
      .set({ upstream_failures: 0n, upstream_failed_at_ms: 0n })
      .where('pool', '=', pool)
      .execute();
  }
}

function toPoolControl(row: PoolControlsTable): PoolControl {
  const {
    pool,
    paused_at_ms,
    pause_reason,
    resumed_at_ms,
    upstream_failures,
    upstream_failed_at_ms,
  } = row;
  return {
    pool,
    paused:
      paused_at_ms === null || pause_reason === null
        ? null
        : { reason: pause_reason, sinceMs: Number(paused_at_ms) },
    resumedAtMs: Number(resumed_at_ms),
    upstream: { failures: Number(upstream_failures), lastAtMs: Number(upstream_failed_at_ms) },
  };
}

const everyControl = new Statement<object, PoolControlsTable>((db) =>
  db.selectFrom('pool_controls').selectAll().orderBy('pool'),
);
