import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** The ledger has some forty distinct statements; DDL is not kept. */
const MAX_CACHED_STATEMENTS = 256;
const WORTH_KEEPING = /^\s*(?:select|insert|update|delete|with|begin|commit|rollback)\b/i;
/** Statements that change rows, as this store writes them. */
const WRITES = /^\s*(?:insert|update|delete|with)\b/i;
/** Of the transaction that ends, in the row of the health check: see {@link HeartbeatFile}. */
const COUNT = 'update canary set writes = writes + 1 returning writes';
/** A commit writes what the statements before it have changed. */
const MAY_READ = /^\s*(?:select|with|begin|commit|rollback)\b/i;
const MAY_CHANGE = /\b(?:insert|update|delete)\b/i;

/**
 * `node:sqlite` in the shape that Kysely's SQLite driver wants. Integers are read as bigint,
 * prepared statements are kept.
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
    // Another one for each commit of other connections.
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

  /** Commits of this file up to the last one of this connection; zero before they are counted. */
  get commits(): bigint {
    return this.#commits;
  }

  /** Counts from now on, in the same transaction, each one that writes. */
  countCommits(): void {
    this.#count = this.#database.prepare(COUNT);
    this.#count.setReadBigInts(true);
  }

  /** Ends the transaction. A count is believed once it is committed. */
  commit(): void {
    const counted = this.#isCountDue ? this.#count?.all()[0]?.['writes'] : undefined;
    this.#isCountDue = false;
    this.#commit.run();
    if (typeof counted === 'bigint') this.#commits = counted;
  }

  begun(): void {
    this.#isCountDue = false;
  }

  /** Runs a statement that writes; outside of a transaction, in one with the count. */
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
      // SQLite ends a transaction when the disk fails or is full.
      if (this.isTransaction) this.#database.exec('rollback');
      throw cause;
    }
  }

  /**
   * Whether rows may have been changed since the last such question, by this connection, or by
   * another as far as this one can have seen.
   */
  takeChanges(): boolean {
    // What others have committed is then brought to disk with it, and is news to the next question.
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

/**
 * @throws TypeError for what SQLite would store as something else, numbers with a fraction
 *   included.
 */
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
