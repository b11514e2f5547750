import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { finished, required } from './table.js';

/** What transactions have used that succeeded. */
export function gasSchema(dialect: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      const table = db.schema
        .createTable('gas_uses')
        .addColumn('transaction_hash', 'text', (column) => column.notNull().primaryKey())
        .addColumn('pool', 'text', required)
        .addColumn('operation', 'text', required)
        .addColumn('l2_gas', dialect.integer, required)
        .addColumn('l1_data_gas', dialect.integer, required)
        .addColumn('ended_at_ms', dialect.integer, required);
      await finished(table, dialect).execute();
      await db.schema
        .createIndex('gas_uses_by_end')
        .on('gas_uses')
        .columns(['pool', 'operation', 'ended_at_ms'])
        .execute();
    },
  };
}
