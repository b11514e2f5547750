import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';

/** The ledger has some forty distinct statements; DDL is not kept. */
const MAX_CACHED_STATEMENTS = 256;
const WORTH_KEEPING = /^\s*(?:select|insert|update|delete|with|begin|commit|rollback)\b/i;

/**
 * `node:sqlite` in the shape that Kysely's SQLite driver wants. Integers are read as bigint,
 * prepared statements are kept.
 */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  prepare(sql: string): SqliteStatement {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = new Statement(this.#database.prepare(sql));
    if (this.#statements.size < MAX_CACHED_STATEMENTS && WORTH_KEEPING.test(sql))
      this.#statements.set(sql, statement);
    return statement;
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

class Statement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    statement.setReadBigInts(true);
    this.#statement = statement;
    // SELECT, PRAGMA and RETURNING have columns; plain writes have none.
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#statement.all(...parameters.map(bound));
  }

  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  } {
    return this.#statement.run(...parameters.map(bound));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...parameters.map(bound));
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

/**
 * Kysely's stock adapter says that SQLite's DDL is not transactional; it is, and a half-run
 * migration must leave nothing.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export interface NodeSqliteConfig extends SqliteDialectConfig {
  readonly database: NodeSqliteDatabase;
  /** Hears of every committed transaction that may have written. */
  readonly committed?: () => void;
}

class YieldingDriver extends SqliteDriver {
  /** Of the transaction that runs: there is one connection, so there is one at a time. */
  #isReadOnly = false;

  constructor(private readonly config: NodeSqliteConfig) {
    super(config);
  }

  /**
   * Writers take the write lock up front: a deferred one could fail half-way with
   * SQLITE_BUSY_SNAPSHOT.
   */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    this.#isReadOnly = settings?.accessMode === 'read only';
    await connection.executeQuery(
      CompiledQuery.raw(this.#isReadOnly ? 'begin' : 'begin immediate'),
    );
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    if (!this.#isReadOnly) this.config.committed?.();
  }

  /**
   * SQLite ends a transaction by itself when the disk fails or is full. To roll back then would
   * fail, and hide why.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.config.database.isTransaction) await super.rollbackTransaction(connection);
  }

  /**
   * A synchronous driver settles everything by microtask, so a queue of calls would run to its end
   * before any socket is served.
   */
  override async releaseConnection(): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #config: NodeSqliteConfig;

  constructor(config: NodeSqliteConfig) {
    super(config);
    this.#config = config;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }

  override createDriver(): Driver {
    return new YieldingDriver(this.#config);
  }
}
