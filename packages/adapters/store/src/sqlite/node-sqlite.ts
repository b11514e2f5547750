import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** Maximum cached statements. The ledger has about forty distinct ones; DDL is not cached. */
const MAX_CACHED_STATEMENTS = 256;
const WORTH_KEEPING = /^\s*(?:select|insert|update|delete|with|begin|commit|rollback)\b/i;
/** Statements that change rows, as this store writes them. */
const WRITES = /^\s*(?:insert|update|delete|with)\b/i;
/** Counts the current transaction in the row of the health check: see {@link HeartbeatFile}. */
const COUNT = 'update canary set writes = writes + 1 returning writes';
/** Statements that may read or commit; a commit writes the changes of the statements before it. */
const MAY_READ = /^\s*(?:select|with|begin|commit|rollback)\b/i;
const MAY_CHANGE = /\b(?:insert|update|delete)\b/i;

/**
 * Adapts `node:sqlite` to the interface of Kysely's SQLite driver. Integers are read as bigint;
 * prepared statements are cached.
 */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #versionOfOthers: StatementSync;
  readonly #commit: StatementSync;
  #seenOfOthers: unknown = null;
  #hasChanged = false;
  #count: StatementSync | null = null;
  #isCountDue = false;
  #commits = 0n;

  constructor(database: DatabaseSync) {
    this.#database = database;
    // Changes with each commit of other connections.
    this.#versionOfOthers = database.prepare('pragma data_version');
    this.#commit = database.prepare('commit');
  }

  prepare(sql: string): SqliteStatement {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const isChange = !MAY_READ.test(sql) || MAY_CHANGE.test(sql);
    const isWrite = isChange && WRITES.test(sql);
    const statement = new Statement(this.#database.prepare(sql), (run) => {
      this.#hasChanged ||= isChange;
      return isWrite ? this.#counted(run) : run();
    });
    if (this.#statements.size < MAX_CACHED_STATEMENTS && WORTH_KEEPING.test(sql))
      this.#statements.set(sql, statement);
    return statement;
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /**
   * Number of commits of this file up to the last one of this connection; zero before counting
   * starts.
   */
  get commits(): bigint {
    return this.#commits;
  }

  /** Starts to count each writing transaction, within that transaction. */
  countCommits(): void {
    this.#count = this.#database.prepare(COUNT);
    this.#count.setReadBigInts(true);
  }

  /** Commits the transaction. The count is used only after the commit. */
  commit(): void {
    const counted = this.#isCountDue ? this.#count?.all()[0]?.['writes'] : undefined;
    this.#isCountDue = false;
    this.#commit.run();
    if (typeof counted === 'bigint') this.#commits = counted;
  }

  begun(): void {
    this.#isCountDue = false;
  }

  /** Runs a writing statement; outside of a transaction, in a new one together with the count. */
  #counted<Rows>(run: () => Rows): Rows {
    if (this.#count === null || this.isTransaction) {
      this.#isCountDue = this.#count !== null;
      return run();
    }
    this.#database.exec('begin immediate');
    try {
      const rows = run();
      this.#isCountDue = true;
      this.commit();
      return rows;
    } catch (cause) {
      // SQLite ends a transaction if the disk fails or is full.
      if (this.isTransaction) this.#database.exec('rollback');
      throw cause;
    }
  }

  /**
   * Returns true if rows may have changed since the last call, by this connection, or by another
   * one if visible to this one.
   */
  takeChanges(): boolean {
    // Commits of others are synced together with ours, and are reported by the next call.
    if (this.#hasChanged) {
      this.#hasChanged = false;
      return true;
    }
    const version = this.#versionOfOthers.get()?.['data_version'];
    const changed = version !== this.#seenOfOthers;
    this.#seenOfOthers = version;
    return changed;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

class Statement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: StatementSync;

  constructor(
    statement: StatementSync,
    private readonly running: <Rows>(run: () => Rows) => Rows,
  ) {
    statement.setReadBigInts(true);
    this.#statement = statement;
    // SELECT, PRAGMA and RETURNING have columns; plain writes have none.
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.running(() => this.#statement.all(...parameters.map(bound)));
  }

  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  } {
    return this.running(() => this.#statement.run(...parameters.map(bound)));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.running(() => this.#statement.iterate(...parameters.map(bound)));
  }
}

/** @throws TypeError for values that SQLite would store differently, including fractions */
function bound(value: unknown): SQLInputValue {
  if (
    value === null ||
    typeof value === 'bigint' ||
    typeof value === 'string' ||
    value instanceof Uint8Array
  )
    return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new TypeError(`a parameter of type ${typeof value} has no exact place in SQLite`);
}
