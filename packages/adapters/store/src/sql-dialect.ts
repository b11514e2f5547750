import type { StoreSize, SubmissionCommand } from '@sotto/submission-core';
import { sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { StoreSchema } from './schema.js';

export interface DatabaseOrigin {
  /** True if the database is not the one that the rows name. */
  readonly hasChanged: Expression<SqlBool>;
  /** Marks the ledger as a possible copy if the rows named another one, and names this one. */
  note(db: Kysely<StoreSchema>): Promise<void>;
}

/** All that differs between the databases which the ledger speaks to. */
export interface SqlDialect {
  /** Names its files in `migrations`. */
  readonly name: 'sqlite' | 'postgres';
  /**
   * True where writers run side by side, so that rows which a write depends on are read `FOR
   * UPDATE`; false where a transaction has the whole database.
   */
  readonly rowLocks: boolean;
  /**
   * The store's own time in milliseconds: from this process, or as an expression that the database
   * evaluates.
   */
  readonly time: { readonly nowMs: () => number } | { readonly expression: Expression<bigint> };
  /**
   * One transaction; rolled back when `work` rejects. Statements that `work` asks for in one turn
   * run in that order, and go out together where the database is across a wire.
   */
  write<T>(
    db: Kysely<StoreSchema>,
    work: (transaction: Kysely<StoreSchema>) => Promise<T>,
  ): Promise<T>;
  /**
   * Names the commands that wait for each other, and so may share a transaction; null for one that
   * waits for none.
   */
  groupOf(command: SubmissionCommand): string | null;
  /** True when another writer was faster, so that reading and deciding again may go well. */
  lostRace(error: unknown): boolean;
  /** Of the database, its log and its disk, with nothing that grows with the rows to be read. */
  sizes(): Promise<readonly StoreSize[]>;
  /** What is left on the disk for this process; null where the disk is another machine's. */
  diskFreeBytes(): Promise<number | null>;
  /**
   * Recognises a database that became another one under this process, or since its last opening;
   * null where only an opening can.
   */
  readonly origin: DatabaseOrigin | null;
  /** Runs migrations, which rebuild tables where the database can't change them in place. */
  migrating(run: () => Promise<void>): Promise<void>;
  /**
   * Called after rows were wiped, so that nothing of them stays on disk. Rejects when something
   * may.
   */
  forgetWiped(): Promise<void>;
}

/** The store's time in a statement, and so many milliseconds more. */
export function timeOf({ time }: Pick<SqlDialect, 'time'>, plusMs = 0): Expression<bigint> {
  if ('nowMs' in time) return sql.val(BigInt(time.nowMs() + plusMs));
  return sql<bigint>`${time.expression} + ${sql.lit(plusMs)}`;
}

/**
 * The store's time so many milliseconds ago, read at once: where the database evaluates its time
 * for each row, no index serves a comparison with it.
 */
export async function momentBefore(
  db: Kysely<StoreSchema>,
  dialect: Pick<SqlDialect, 'time'>,
  ms: number,
): Promise<bigint> {
  if ('nowMs' in dialect.time) return BigInt(dialect.time.nowMs() - ms);
  const { rows } = await sql<{ at: bigint }>`select ${timeOf(dialect, -ms)} as at`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the store does not know what time it is');
  return row.at;
}
