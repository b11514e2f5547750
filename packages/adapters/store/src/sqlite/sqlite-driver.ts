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

/** Delays between tries while another process has the write lock; the last one repeats. */
const RETRY_MS = [1, 2, 5, 10, 25] as const;
const LAST_RETRY_MS = 25;

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
  /** Longest wait for another process that writes; the event loop goes on. @default 0 */
  readonly busyTimeoutMs?: number;
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
   * Writers take the write lock up front: a deferred one could fail half-way with
   * SQLITE_BUSY_SNAPSHOT.
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
   * SQLite ends a transaction by itself when the disk fails or is full. To roll back then would
   * fail, and hide why.
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
   * Runs what needs the write lock again while another process has it. SQLite's own wait would stop
   * the event loop, so its time-out is zero.
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
