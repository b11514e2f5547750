import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { finished, required } from './table.js';

/** The table of given quotes. */
export function quotesSchema(dialect: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      const table = db.schema
        .createTable('quotes')
        .addColumn('id', 'text', (column) => column.notNull().primaryKey())
        .addColumn('chain_id', 'text', required)
        .addColumn('pool', 'text', required)
        .addColumn('relayer', 'text', required)
        .addColumn('fee_amount', 'text', required)
        .addColumn('expires_at_ms', dialect.integer, required)
        .addColumn('served_key', 'text')
        .addCheckConstraint('quotes_expire', sql`expires_at_ms > 0`);
      await finished(table, dialect).execute();
      await db.schema
        .createIndex('quotes_by_expiry')
        .on('quotes')
        .column('expires_at_ms')
        .execute();
    },
  };
}
