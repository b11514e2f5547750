import type { StoreSize, SubmissionCommand } from '@sotto/submission-core';
import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { StoreSchema } from './schema.js';

export interface DatabaseOrigin {
  /** True if the connected database is not the one whose origin is recorded. */
  readonly hasChanged: Expression<SqlBool>;
  /**
   * Records this database as the origin. Marks the ledger as a possible copy if another origin was
   * recorded.
   */
  note(db: Kysely<StoreSchema>): Promise<void>;
}

/** All differences between the supported databases. */
export interface SqlDialect {
  /** Name of the dialect, which is part of the file names in `migrations`. */
  readonly name: 'sqlite' | 'postgres';
  /**
   * True if writers run concurrently; then a write reads the rows it depends on `FOR UPDATE`. False
   * if a transaction locks the whole database.
   */
  readonly rowLocks: boolean;
  /**
   * Source of the store's time in milliseconds: a function of this process, or an SQL expression
   * that the database evaluates.
   */
  readonly time: { readonly nowMs: () => number } | { readonly expression: Expression<bigint> };
  /**
   * Runs one transaction, which is rolled back if `work` rejects. Statements that `work` issues in
   * the same tick run in the sequence in which they were issued. If the database is remote, these
   * statements are sent together.
   */
  write<T>(
    db: Kysely<StoreSchema>,
    work: (transaction: Kysely<StoreSchema>) => Promise<T>,
  ): Promise<T>;
  /**
   * Returns access for single statements that only read. If the database is remote, the reads of
   * one turn of the event loop share a transaction and a round trip. Must not be used for writes
   * or for several statements that need the same snapshot.
   */
  reads(db: Kysely<StoreSchema>): Kysely<StoreSchema>;
  /**
   * Returns the name of the group to which a command belongs. Commands of the same group cannot run
   * concurrently, so they may share a transaction. Null if the command does not wait for other
   * commands.
   */
  groupOf(command: SubmissionCommand): string | null;
  /**
   * Returns true if the error shows that another writer was faster. The command may then succeed
   * when it is repeated.
   */
  lostRace(error: unknown): boolean;
  /**
   * Returns the sizes of the database, its log and its disk. The cost of reading them does not grow
   * with the number of rows.
   */
  sizes(): Promise<readonly StoreSize[]>;
  /**
   * Returns the free disk space available to this process, in bytes; null if the disk is on another
   * machine.
   */
  diskFreeBytes(): Promise<number | null>;
  /**
   * Detects that the connected database is not the database that was recorded as origin, during
   * operation or since the last opening. Null if a replacement can be detected only when the store
   * is opened.
   */
  readonly origin: DatabaseOrigin | null;
  /**
   * Runs migrations with the function `run`. Permits `run` to rebuild tables if the database can't
   * change tables in place.
   */
  migrating(run: () => Promise<void>): Promise<void>;
  /**
   * Removes the bytes of deleted rows from the disk. Called after redaction. Rejects if some of
   * these bytes may remain.
   */
  forgetWiped(): Promise<void>;
}

/** Returns an expression for the store's time plus an offset in milliseconds. */
export function timeOf({ time }: Pick<SqlDialect, 'time'>, plusMs = 0): Expression<bigint> {
  if ('nowMs' in time) return sql.val(BigInt(time.nowMs() + plusMs));
  return sql<bigint>`${time.expression} + ${sql.lit(plusMs)}`;
}

/**
 * Reads the store's time minus a duration in milliseconds. The result is a number and not an SQL
 * expression, because an expression that is evaluated for each row prevents the use of an index.
 */
export async function momentBefore(
  db: Kysely<StoreSchema>,
  dialect: Pick<SqlDialect, 'time'>,
  ms: number,
): Promise<bigint> {
  if ('nowMs' in dialect.time) return BigInt(dialect.time.nowMs() - ms);
  const { rows } = await sql<{ at: bigint }>`select ${timeOf(dialect, -ms)} as at`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the store returned no time');
  return row.at;
}
