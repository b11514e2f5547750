import type { Clock } from '@sotto/kernel';
import { scopeOf, type StoreSize } from '@sotto/submission-core';
import { sql, type Kysely } from 'kysely';
import { DatabaseError } from 'pg';
import type { DatabaseOrigin, SqlDialect } from '../sql-dialect.js';
import { pipelinedTransaction } from './pipelined-transaction.js';
import type { StoreSchema } from '../schema.js';
import { StoreTime } from '../store-time.js';

/**
 * unique_violation, serialization_failure and deadlock_detected: a writer beside this one was
 * faster. Source: <https://www.postgresql.org/docs/18/errcodes-appendix.html>
 */
const LOST_RACES: ReadonlySet<string> = new Set(['23505', '40001', '40P01']);

/** Not `now()`, which is when the transaction began: it may have waited for a row since. */
const SERVER_TIME = {
  expression: sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
};

/** @param clock of tests; null for the server's own, which is the same for all instances */
export function postgresDialect(
  db: Kysely<StoreSchema>,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'> | null,
  origin: DatabaseOrigin | null = null,
): SqlDialect {
  return {
    name: 'postgres',
    rowLocks: true,
    time: clock === null ? SERVER_TIME : new StoreTime(clock),
    write: pipelinedTransaction,
    // Its row is locked first.
    groupOf: (command) => scopeOf(command).lane,
    lostRace: (error) => error instanceof DatabaseError && LOST_RACES.has(error.code ?? ''),
    sizes: () => sizesOf(db),
    origin,
    diskFreeBytes: async () => null,
    migrating: (run) => run(),
    async forgetWiped() {
      // What deleted rows leave behind can't be read by a query after this, and is overwritten as
      // the pages are used again.
      await sql`vacuum (skip_locked) calldata, signed_bytes`.execute(db);
    },
  };
}

/** From the catalogue and the sizes of files: no row is read. */
async function sizesOf(db: Kysely<StoreSchema>): Promise<readonly StoreSize[]> {
  const { rows } = await sql<{ kind: string; bytes: bigint }>`
    select 'database' as kind, pg_database_size(current_database()) as bytes
    union all
    select 'table_' || relname, pg_total_relation_size(oid) from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
    order by kind`.execute(db);
  return rows.map(({ kind, bytes }) => ({ kind, bytes: Number(bytes) }));
}
