import type { Clock } from '@sotto/kernel';
import { scopeOf, type StoreSize } from '@sotto/submission-core';
import { sql, type Kysely } from 'kysely';
import { DatabaseError } from 'pg';
import type { DatabaseOrigin, SqlDialect } from '../sql-dialect.js';
import { isStale } from './postgres-pool.js';
import { pipelinedTransaction } from './pipelined-transaction.js';
import { sharedReads } from './shared-reads.js';
import type { StoreSchema } from '../schema.js';
import { StoreTime } from '../store-time.js';

/**
 * PostgreSQL error codes which show that a concurrent writer was faster: unique_violation,
 * serialization_failure and deadlock_detected. Source:
 * <https://www.postgresql.org/docs/18/errcodes-appendix.html>
 */
const LOST_RACES: ReadonlySet<string> = new Set(['23505', '40001', '40P01']);

/**
 * Current time of the server. `now()` is not used: it is the time at which the transaction started,
 * and the transaction may have waited for a row since then.
 */
const SERVER_TIME = {
  expression: sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
};

/** @param clock clock for tests; null for the server's clock, which all instances share */
export function postgresDialect(
  db: Kysely<StoreSchema>,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'> | null,
  origin: DatabaseOrigin | null = null,
): SqlDialect {
  // All stores of the database share one queue of reads.
  const reads = sharedReads(db);
  return {
    name: 'postgres',
    rowLocks: true,
    time: clock === null ? SERVER_TIME : new StoreTime(clock),
    write: pipelinedTransaction,
    reads: () => reads,
    // Commands of the same lane cannot run concurrently, because each command first locks the
    // lane's row.
    groupOf: (command) => scopeOf(command).lane,
    // An outdated prepared statement rolled the transaction back; a repetition prepares it again.
    lostRace: (error) =>
      isStale(error) || (error instanceof DatabaseError && LOST_RACES.has(error.code ?? '')),
    sizes: () => sizesOf(db),
    origin,
    diskFreeBytes: async () => null,
    migrating: (run) => run(),
    async forgetWiped() {
      // No query can read deleted rows after the vacuum. Their bytes are overwritten when the pages
      // are used again.
      await sql`vacuum (skip_locked) calldata, signed_bytes`.execute(db);
    },
  };
}

/** Reads sizes from the catalogue and the file system, without reading any row. */
async function sizesOf(db: Kysely<StoreSchema>): Promise<readonly StoreSize[]> {
  const { rows } = await sql<{ kind: string; bytes: bigint }>`
    select 'database' as kind, pg_database_size(current_database()) as bytes
    union all
    select 'table_' || relname, pg_total_relation_size(oid) from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
    order by kind`.execute(db);
  return rows.map(({ kind, bytes }) => ({ kind, bytes: Number(bytes) }));
}
