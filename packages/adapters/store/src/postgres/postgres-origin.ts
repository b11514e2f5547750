import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { timeOf, type DatabaseOrigin, type SqlDialect } from '../sql-dialect.js';

/**
 * Identity of the database: the cluster's system identifier and its timeline. If a replica is
 * promoted, or a database is recovered to a point in time, PostgreSQL starts a new timeline. A dump
 * is restored into another cluster, which has a different identifier. A standby cannot read its
 * timeline.
 */
const HERE = sql<string | null>`case when not pg_is_in_recovery() then
  (select system_identifier from pg_control_system()) || '/' ||
  left(pg_walfile_name(pg_current_wal_lsn()), 8) end`;
const NOTED = sql<string | null>`(select origin from canary)`;

/**
 * Returns the origin of a PostgreSQL database; null if the server does not permit reading its
 * identity.
 */
export async function postgresOrigin(
  db: Kysely<StoreSchema>,
  dialect: Pick<SqlDialect, 'time' | 'write'>,
): Promise<DatabaseOrigin | null> {
  try {
    await sql`select ${HERE}`.execute(db);
  } catch {
    return null;
  }
  return {
    hasChanged: sql`(${HERE} is not null and ${NOTED} is distinct from ${HERE})`,
    note: (all) =>
      dialect.write(all, async (within) => {
        await within
          .updateTable('chain')
          .set({ possible_copy_since_ms: timeOf(dialect) })
          .where(sql<boolean>`${NOTED} <> ${HERE}`)
          .execute();
        await within
          .insertInto('canary')
          .values({ id: 1n, writes: 0n, origin: HERE })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ origin: HERE }))
          .execute();
      }),
  };
}
