import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { finished, required } from './table.js';

/**
 * What swaps are bound to, in rows that are neither changed nor deleted and hold no more than
 * digests, a token and an amount; and whose transactions were read for it.
 */
export function swapPinsSchema(dialect: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      const table = db.schema
        .createTable('swap_pins')
        .addColumn('note', 'text', (column) => column.notNull().primaryKey())
        .addColumn('new_commitment', 'text', (column) => column.notNull().unique())
        .addColumn('output_token', 'text', required)
        .addColumn('floor', 'text', required);
      await finished(table, dialect).execute();
      const owners = db.schema
        .createTable('swap_owners')
        .addColumn('address', 'text', (column) => column.notNull().primaryKey())
        .addColumn('read_up_to', dialect.integer, required);
      await finished(owners, dialect).execute();
    },
  };
}
