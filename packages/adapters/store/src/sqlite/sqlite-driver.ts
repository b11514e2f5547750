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
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogSync } from './log-sync.js';
import type { NodeSqliteDatabase } from './node-sqlite.js';
import { sqliteCodeOf } from './sqlite-codes.js';

/**
 * Delays in milliseconds between attempts to get the write lock while another process has it. After
 * all these delays, each further delay is {@link LAST_RETRY_MS}.
 */
const RETRY_MS = [1, 2, 5, 10, 25] as const;
const LAST_RETRY_MS = 25;

/** Operations that a connection needs from the log. */
export type CommitLog = Pick<LogSync, 'committed' | 'durable' | 'recovered' | 'close'>;

/** Does nothing. Used in place of a log for a database that is only read or that is in memory. */
export const NO_LOG: CommitLog = {
  committed: () => {},
  durable: async () => {},
  recovered: async () => {},
  close: async () => {},
};

export interface NodeSqliteConfig extends SqliteDialectConfig {
  readonly database: NodeSqliteDatabase;
  readonly log: CommitLog;
  /**
   * Longest wait for another writing process, in milliseconds. The event loop is not blocked during
   * the wait. @default 0
   */
  readonly busyTimeoutMs?: number;
}

class NodeSqliteAdapter extends SqliteAdapter {
  /**
   * True, because SQLite's DDL is transactional. Kysely's stock adapter reports the opposite. An
   * incomplete migration must be rolled back completely.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /**
   * True, although there is only one connection: this driver serialises the calls itself. If the
   * value were false, Kysely would start a call only after the previous call has resolved, so no
   * two calls could share a sync.
   */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Driver that runs calls one after the other on the connection. A call resolves when all data that
 * it wrote or may have read is on disk. While a call waits for the disk, other calls can run.
 */
class SharedSyncDriver extends SqliteDriver {
  /** Resolves when the last waiting call has released the connection. */
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
      await this.#whenFree(() => this.config.log.recovered());
      const connection = await super.acquireConnection();
      return {
        executeQuery: (query) =>
          this.config.database.isTransaction
            ? connection.executeQuery(query)
            : this.#whenFree(() => connection.executeQuery(query)),
        streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
      };
    } catch (cause) {
      this.#endTurnSoon();
      throw cause;
    }
  }

  /**
   * Acquires SQLite's write lock at the start of a transaction (BEGIN IMMEDIATE). A deferred
   * transaction could fail in the middle with SQLITE_BUSY_SNAPSHOT.
   */
  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    const begin = accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
    this.config.database.begun();
  }

  override async commitTransaction(): Promise<void> {
    this.config.database.commit();
  }

  /**
   * Rolls back the transaction. Does nothing if SQLite has already ended the transaction because
   * the disk failed or is full: a rollback would then fail and hide the cause.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.config.database.isTransaction) await super.rollbackTransaction(connection);
  }

  override async releaseConnection(): Promise<void> {
    this.#endTurnSoon();
    const { database, log } = this.config;
    if (database.takeChanges()) log.committed(database.commits);
    await log.durable();
  }

  /**
   * Runs a call that needs the write lock, and repeats it while another process has the lock.
   * SQLite's own timeout is zero, because its wait would block the event loop.
   */
  async #whenFree<Result>(run: () => Promise<Result>): Promise<Result> {
    const { database, busyTimeoutMs = 0 } = this.config;
    const endsAtMs = performance.now() + busyTimeoutMs;
    for (let tries = 0; ; tries += 1) {
      try {
        return await run();
      } catch (cause) {
        const isBusy = sqliteCodeOf(cause) === 'SQLITE_BUSY' && !database.isTransaction;
        if (!isBusy || performance.now() >= endsAtMs) throw cause;
        await sleep(RETRY_MS[tries] ?? LAST_RETRY_MS);
      }
    }
  }

  override async destroy(): Promise<void> {
    await this.config.log.close();
    await super.destroy();
  }

  /**
   * Releases the connection with `setImmediate`. A synchronous driver settles all promises in
   * microtasks. Without `setImmediate`, all waiting calls would run before the event loop serves
   * any socket.
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
