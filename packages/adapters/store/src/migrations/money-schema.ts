import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { finished, required } from './table.js';

/**
 * What was decided and noticed about pools, names that only one may hold, and a way to what has
 * ended of late.
 */
export function moneySchema(dialect: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      const controls = db.schema
        .createTable('pool_controls')
        .addColumn('pool', 'text', (column) => column.notNull().primaryKey())
        .addColumn('paused_at_ms', dialect.integer)
        .addColumn('pause_reason', 'text')
        .addColumn('resumed_at_ms', dialect.integer, required)
        .addColumn('upstream_failures', dialect.integer, required)
        .addColumn('upstream_failed_at_ms', dialect.integer, required)
        .addCheckConstraint(
          'pool_controls_pause_whole',
          sql`(paused_at_ms is null) = (pause_reason is null)`,
        )
        .addCheckConstraint('pool_controls_failures', sql`upstream_failures >= 0`);
      await finished(controls, dialect).execute();
      const claims = db.schema
        .createTable('claims')
        .addColumn('name', 'text', (column) => column.notNull().primaryKey())
        .addColumn('holder', 'text', required)
        .addColumn('since_ms', dialect.integer, required);
      await finished(claims, dialect).execute();
      await db.schema.createIndex('claims_by_age').on('claims').column('since_ms').execute();
      await db.schema
        .createIndex('attempts_by_end')
        .on('attempts')
        .columns(['ended_at_ms', 'seq'])
        .execute();
    },
  };
}
