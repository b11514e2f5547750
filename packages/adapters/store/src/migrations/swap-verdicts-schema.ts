import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { finished, required } from './table.js';

/** Whether swaps that have reverted are tried again. Rows are never changed. */
export function swapVerdictsSchema(dialect: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      const table = db.schema
        .createTable('swap_verdicts')
        .addColumn('attempt_id', 'text', (column) => column.notNull().primaryKey())
        .addColumn('verdict', 'text', required)
        .addColumn('decided_at_ms', dialect.integer, required)
        .addCheckConstraint('swap_verdicts_known', sql`verdict in ('again', 'over')`);
      await finished(table, dialect).execute();
    },
  };
}
