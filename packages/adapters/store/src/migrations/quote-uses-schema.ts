import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';

/** Quotes say what they are for. Those that were given before are for withdrawals. */
export function quoteUsesSchema(dialect: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      await db.schema
        .alterTable('quotes')
        .addColumn('operation', 'text', (column) =>
          column
            .notNull()
            .defaultTo('withdraw')
            .check(sql`operation in ('withdraw', 'private_swap')`),
        )
        .execute();
      await db.schema.alterTable('quotes').addColumn('leaf_index', dialect.integer).execute();
    },
  };
}
