import { DomainError, systemClock, type Clock } from '@sotto/kernel';
import { noOtherInstances } from '@sotto/submission-core';
import { Kysely } from 'kysely';
import { mapStoreErrors, storeFailure } from '../map-store-errors.js';
import { attachHeartbeat, writeHeader, type AttachedHeartbeat } from './attach-heartbeat.js';
import { BackgroundCheckpoints } from './background-checkpoints.js';
import { checkFiles } from './check-files.js';
import { migrate } from '../migrations/migrate.js';
import { SchemaWatch } from '../migrations/schema-watch.js';
import { newestTime } from './newest-time.js';
import { SqlLedger } from '../ledger/sql-ledger.js';
import { LogSync } from './log-sync.js';
import { NodeSqliteDatabase } from './node-sqlite.js';
import { NodeSqliteDialect } from './sqlite-driver.js';
import type { StoreSchema } from '../schema.js';
import { openLog, openSqliteDatabase, sqliteDialect } from './sqlite-database.js';
import { StoreTime } from '../store-time.js';
import { migrationOptions, storeOn, type OpenedStore, type StoreOptions } from '../store.js';

export interface SqliteStoreOptions extends StoreOptions {
  /**
   * Path of the store's file. If the file and its `-wal` and `-shm` companions are missing, they
   * are created so that only their owner can access them.
   */
  readonly path: string;
  /**
   * Clock of the store. The wall time is read when the store is opened, and then advanced by the
   * monotonic time. So changes of the wall clock while the store is open have no effect. No time in
   * the rows is later than the store's time. Processes that share a file must use the same clock.
   * @default systemClock
   */
  readonly clock?: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** Longest wait for another writing process, in milliseconds. @default 5000 */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens all stores in one SQLite file and updates its schema.
 *
 * An acknowledged write survives a killed process and a power cut. Several processes may open the
 * same file. Every write first acquires SQLite's write lock and then reads the rows that it depends
 * on. Writes are thus serialised, and leases and fences work between processes.
 * @throws LedgerUnavailable if the file can't be opened or is not a store, and the errors of {@link
 *   checkFiles} and {@link migrate}
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<OpenedStore> {
  const { path, clock = systemClock, busyTimeoutMs = 5_000 } = options;
  const isCopy = checked(path);
  const database = openSqliteDatabase(path, busyTimeoutMs);
  let heartbeat: AttachedHeartbeat | null = null;
  const log: LogSync = new LogSync(openLog(database, path), (commits) => {
    heartbeat?.file.note(commits);
    checkpoints.grown();
  });
  const connection = new NodeSqliteDatabase(database);
  const kyselyDialect = new NodeSqliteDialect({ database: connection, log, busyTimeoutMs });
  const db = new Kysely<StoreSchema>({ dialect: kyselyDialect });
  const checkpoints = new BackgroundCheckpoints(path, {
    isTrusted: () => log.isTrusted,
    unwritten: (run) => db.connection().execute(run),
  });
  const time = new StoreTime(clock);
  const unguarded = sqliteDialect(database, time, checkpoints);
  const migrations = migrationOptions(options, unguarded.name);
  const schema = new SchemaWatch(db, unguarded, migrations);
  const dialect = schema.guarded(unguarded);
  try {
    await migrate(db, dialect, migrations);
    time.notBefore(await mapStoreErrors(() => newestTime(db)));
    connection.countCommits();
    heartbeat = await mapStoreErrors(() => attachHeartbeat(db, dialect, path, isCopy));
    // The checkpoint copies the header to the file, because the next start reads the header without
    // the log.
    if (heartbeat.isHeaderNew) database.exec('pragma wal_checkpoint(passive)');
    if (heartbeat.isPossibleCopy)
      options.logger?.warn({ path }, 'the ledger file may be a copy: see the runbook');
  } catch (error) {
    await checkpoints.close();
    await db.destroy();
    throw error;
  }
  const attached = heartbeat;
  const ledger = new SqlLedger(db, dialect, options.decide);
  let closed: Promise<void> | null = null;
  return {
    ...storeOn(db, dialect, options, ledger, schema),
    // This bus sends no notifications: any other process that has the file open finds new rows by
    // polling.
    bus: noOtherInstances,
    close: () => (closed ??= closeWhenIdle(ledger, schema, db, checkpoints, attached)),
  };
}

async function closeWhenIdle(
  ledger: Pick<SqlLedger, 'idle'>,
  schema: Pick<SchemaWatch, 'leave'>,
  db: Kysely<StoreSchema>,
  checkpoints: BackgroundCheckpoints,
  heartbeat: AttachedHeartbeat,
): Promise<void> {
  await ledger.idle();
  await schema.leave();
  // There is one connection. It becomes free when all calls before this one have ended. If the
  // header can't be written, the next start expects a log.
  await writeHeader(db, heartbeat.lineage, false).catch(() => undefined);
  await checkpoints.close();
  await db.destroy();
  heartbeat.file.close();
}

/** @throws LedgerUnavailable if the files are unreadable */
function checked(path: string): boolean {
  try {
    return checkFiles(path, 'quick');
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw storeFailure('the ledger file could not be opened', cause);
  }
}
