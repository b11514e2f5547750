import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDialectConfig,
  type TransactionSettings,
} from 'kysely';
import type { LogSync } from './log-sync.js';
import type { NodeSqliteDatabase } from './node-sqlite.js';

/** What a connection knows of its log. */
export type CommitLog = Pick<LogSync, 'committed' | 'durable' | 'recovered' | 'close'>;

/** Of a database that is only read, or is in memory. */
export const NO_LOG: CommitLog = {
  committed: () => {},
  durable: async () => {},
  recovered: async () => {},
  close: async () => {},
};

export interface NodeSqliteConfig extends SqliteDialectConfig {
  readonly database: NodeSqliteDatabase;
  readonly log: CommitLog;
}

class NodeSqliteAdapter extends SqliteAdapter {
  /**
   * Kysely's stock adapter says that SQLite's DDL is not transactional; it is, and a half-run
   * migration must leave nothing.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /**
   * There is one, and the driver itself lets calls take turns with it: Kysely would let the next
   * one begin only when the call before it has been answered, and so no two of them would share a
   * sync.
   */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * A call has the connection to itself until it has run, and is answered when all that it can have
 * seen or written is on disk. Meanwhile others run.
 */
class SharedSyncDriver extends SqliteDriver {
  /** Resolves when the last of those who wait has had its turn. */
  #free: Promise<void> = Promise.resolve();
  #endTurn = (): void => {};

  constructor(private readonly config: NodeSqliteConfig) {
    super(config);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#free;
    const turn = Promise.withResolvers<void>();
    this.#free = turn.promise;
    await before;
    this.#endTurn = turn.resolve;
    try {
      await this.config.log.recovered();
      return await super.acquireConnection();
    } catch (cause) {
      this.#endTurnSoon();
      throw cause;
    }
  }

  /**
   * Writers take the write lock up front: a deferred one could fail half-way with
   * SQLITE_BUSY_SNAPSHOT.
   */
  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    const begin = accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  /**
   * SQLite ends a transaction by itself when the disk fails or is full. To roll back then would
   * fail, and hide why.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.config.database.isTransaction) await super.rollbackTransaction(connection);
  }

  override async releaseConnection(): Promise<void> {
    this.#endTurnSoon();
    const { database, log } = this.config;
    if (database.takeChanges()) log.committed();
    await log.durable();
  }

  override async destroy(): Promise<void> {
    await this.config.log.close();
    await super.destroy();
  }

  /**
   * A synchronous driver settles everything by microtask, so a queue of calls would run to its end
   * before any socket is served.
   */
  #endTurnSoon(): void {
    setImmediate(this.#endTurn);
  }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #config: NodeSqliteConfig;

  constructor(config: NodeSqliteConfig) {
    super(config);
    this.#config = config;
  }

  override createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter();
  }

  override createDriver(): Driver {
    return new SharedSyncDriver(this.#config);
  }
}
