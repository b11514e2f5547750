import type { ColumnDefinitionBuilder, Expression } from 'kysely';

/** All that differs between the databases which the ledger speaks to. */
export interface SqlFlavor {
  /** Type of a 64-bit integer column. */
  readonly integer: 'integer' | 'bigint';
  /** Type of a bytes column. */
  readonly bytes: 'blob' | 'bytea';
  /** What ends a `create table`, such as SQLite's `strict`. */
  readonly tableSuffix: string;
  /** Makes an integer column the table's running number. */
  runningNumber(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /**
   * True where writers run side by side, so that rows which a write depends on are read `FOR UPDATE`;
   * false where a transaction has the whole database.
   */
  readonly rowLocks: boolean;
  /** The store's own time in milliseconds, and so many more: leases compare it with nothing but itself. */
  nowMs(plusMs?: number): Expression<bigint>;
  /** True when another writer was faster, so that reading and deciding again may go well. */
  lostRace(error: unknown): boolean;
  /** Called after rows were wiped, so that nothing of them stays on disk. Rejects when something may. */
  forgetWiped(): Promise<void>;
}
