import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/**
 * Maximum number of cached statements. The ledger has about forty distinct statements. DDL
 * statements are not cached.
 */
const MAX_CACHED_STATEMENTS = 256;
const WORTH_KEEPING = /^\s*(?:select|insert|update|delete|with|begin|commit|rollback)\b/i;
/** Pattern of statements that change rows, in the forms that this store uses. */
const WRITES = /^\s*(?:insert|update|delete|with)\b/i;
/**
 * Increments the commit count in the single row of `canary`, within the current transaction: see
 * {@link HeartbeatFile}.
 */
const COUNT = 'update canary set writes = writes + 1 returning writes';
/**
 * Pattern of statements that may read rows or may commit. A commit writes the changes of all
 * statements in its transaction.
 */
const MAY_READ = /^\s*(?:select|with|begin|commit|rollback)\b/i;
const MAY_CHANGE = /\b(?:insert|update|delete)\b/i;

/**
 * Adapts `node:sqlite` to the interface of Kysely's SQLite driver. Integers are read as bigint, and
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
    // The value of this pragma changes after each commit of a different connection.
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
   * Commit count of this file at the last commit of this connection; zero before the first counted
   * commit.
   */
  get commits(): bigint {
    return this.#commits;
  }

  /** Starts to count writing transactions. The count is part of each transaction. */
  countCommits(): void {
    this.#count = this.#database.prepare(COUNT);
    this.#count.setReadBigInts(true);
  }

  /**
   * Commits the transaction. The increased commit count is stored in this object only after the
   * commit succeeded.
   */
  commit(): void {
    const counted = this.#isCountDue ? this.#count?.all()[0]?.['writes'] : undefined;
    this.#isCountDue = false;
    this.#commit.run();
    if (typeof counted === 'bigint') this.#commits = counted;
  }

  begun(): void {
    this.#isCountDue = false;
  }

  /**
   * Runs a writing statement. If no transaction is open, the statement and the increment of the
   * commit count run in a new transaction.
   */
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
      // The transaction may have ended already: SQLite ends a transaction if the disk fails or is
      // full.
      if (this.isTransaction) this.#database.exec('rollback');
      throw cause;
    }
  }

  /**
   * Returns true if rows may have changed since the last call, by this connection or by a visible
   * commit of another connection.
   */
  takeChanges(): boolean {
    // Commits of other connections are synced together with this connection's commits. So they are
    // reported by the next call.
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
    // Statements that return rows (SELECT, PRAGMA, RETURNING) have columns; plain writes have no
    // columns.
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

/** @throws TypeError for values that SQLite would convert when storing them, including fractions */
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
