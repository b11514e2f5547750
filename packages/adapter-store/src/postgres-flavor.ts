import type { Clock } from '@sotto/kernel';
import { sql, type Kysely } from 'kysely';
import { DatabaseError } from 'pg';
import type { SqlFlavor } from './flavor.js';
import type { StoreSchema } from './schema.js';

/**
 * unique_violation, serialization_failure and deadlock_detected: a writer beside this one was faster.
 * Source: <https://www.postgresql.org/docs/18/errcodes-appendix.html>
 */
const LOST_RACES: ReadonlySet<string> = new Set(['23505', '40001', '40P01']);

/** @param clock of tests; null for the server's own, which is the same for all instances */
export function postgresFlavor(db: Kysely<StoreSchema>, clock: Pick<Clock, 'nowMs'> | null): SqlFlavor {
  return {
    integer: 'bigint',
    bytes: 'bytea',
    tableSuffix: '',
    rowLocks: true,
    runningNumber: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
    nowMs: (plusMs = 0) =>
      clock === null
        ? // Not `now()`, which is when the transaction began: a lease may have waited for the row since.
          sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${sql.lit(plusMs)}`
        : sql.val(BigInt(clock.nowMs() + plusMs)),
    lostRace: (error) => error instanceof DatabaseError && LOST_RACES.has(error.code ?? ''),
    async forgetWiped() {
      // What deleted rows leave behind is nobody's to read after this, and is overwritten as the pages are used again.
      await sql`vacuum (skip_locked) calldata, signed_bytes`.execute(db);
    },
  };
}
