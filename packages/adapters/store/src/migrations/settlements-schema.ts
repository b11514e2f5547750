import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { SETTLEMENTS_ON_POSTGRES } from './settlements-postgres.js';
import { SETTLEMENTS_ON_SQLITE } from './settlements-sqlite.js';

/**
 * A settled nonce names the transaction and the block that settled it, so that a rollback can open
 * it again. With that come versions, outcomes that were undone, quarantine and pause of lanes, the
 * chain that the ledger belongs to, and marks of the wipe.
 *
 * Its statements are fixed text: what the code calls a live attempt changes with releases, and what
 * was migrated does not.
 */
export function settlementsSchema({ rowLocks }: SqlDialect): Migration {
  return {
    async up(db: Kysely<StoreSchema>): Promise<void> {
      for (const statement of rowLocks ? SETTLEMENTS_ON_POSTGRES : SETTLEMENTS_ON_SQLITE)
        await sql.raw(statement).execute(db);
      if (!rowLocks) await checkReferences(db);
    },
  };
}

/**
 * SQLite checks no foreign key while tables are rebuilt.
 * @throws Error when a row refers to one that is missing
 */
async function checkReferences(db: Kysely<StoreSchema>): Promise<void> {
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(
    db,
  );
  const [first] = rows;
  if (first !== undefined)
    throw new Error(
      `${rows.length} rows refer to missing ones, the first in ${first.table} to ${first.parent}`,
    );
}
