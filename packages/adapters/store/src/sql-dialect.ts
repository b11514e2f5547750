import type { StoreSize, SubmissionCommand } from '@sotto/submission-core';
import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { StoreSchema } from './schema.js';

export interface DatabaseOrigin {
  /** True if the database is not the one that the rows name. */
  readonly hasChanged: Expression<SqlBool>;
  /**
   * Records this database as the origin. Marks the ledger as a possible copy if the rows named
   * another one.
   */
  note(db: Kysely<StoreSchema>): Promise<void>;
}

/** All differences between the supported databases. */
export interface SqlDialect {
  /** Name of the dialect, as in the file names of `migrations`. */
  readonly name: 'sqlite' | 'postgres';
  /**
   * True if writers run concurrently, so that rows which a write depends on are read `FOR UPDATE`;
   * false if a transaction locks the whole database.
   */
  readonly rowLocks: boolean;
  /**
   * Store's time in milliseconds: from this process, or as an expression that the database
   * evaluates.
   */
  readonly time: { readonly nowMs: () => number } | { readonly expression: Expression<bigint> };
  /**
   * Runs one transaction; rolled back if `work` rejects. Statements that `work` issues in the same
   * tick run in that order, and are sent together if the database is remote.
   */
  write<T>(
    db: Kysely<StoreSchema>,
    work: (transaction: Kysely<StoreSchema>) => Promise<T>,
  ): Promise<T>;
  /**
   * Returns the group of a command. Commands of one group wait for each other, so they may share a
   * transaction. Null if the command waits for no other.
   */
  groupOf(command: SubmissionCommand): string | null;
  /**
   * Returns true if another writer was faster, so that the command may succeed when it is repeated.
   */
  lostRace(error: unknown): boolean;
  /**
   * Sizes of the database, its log and its disk, read at a cost that does not grow with the number
   * of rows.
   */
  sizes(): Promise<readonly StoreSize[]>;
  /** Returns free disk space for this process, in bytes; null if the disk is on another machine. */
  diskFreeBytes(): Promise<number | null>;
  /**
   * Detects a database that was replaced by another one at runtime or since its last opening; null
   * if only opening can detect that.
   */
  readonly origin: DatabaseOrigin | null;
  /** Runs migrations, rebuilding tables if the database can't change them in place. */
  migrating(run: () => Promise<void>): Promise<void>;
  /**
   * Called after redaction, so that no deleted bytes remain on disk. Rejects if some may remain.
   */
  forgetWiped(): Promise<void>;
}

/** Returns the store's time, plus an offset in milliseconds, as an expression. */
export function timeOf({ time }: Pick<SqlDialect, 'time'>, plusMs = 0): Expression<bigint> {
  if ('nowMs' in time) return sql.val(BigInt(time.nowMs() + plusMs));
  return sql<bigint>`${time.expression} + ${sql.lit(plusMs)}`;
}

/**
 * Reads the store's time minus a duration in milliseconds. Read as a value, because a time
 * expression evaluated per row prevents the use of an index.
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
