import { closeSync, openSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoreSize } from '@sotto/submission-core';
import { storeFailure } from '../map-store-errors.js';
import type { SqlDialect } from '../sql-dialect.js';
import { assertEmptied } from './background-checkpoints.js';
import { LogFile } from './log-file.js';
import { sqliteCodeOf } from './sqlite-codes.js';
import type { StoreTime } from '../store-time.js';

/**
 * Size in bytes to which SQLite truncates a longer log when the writing connection restarts the log
 * after a checkpoint.
 */
const LOG_BYTES = 134_217_728;
/**
 * Page size of a new file, in bytes. If a row or an index entry changes, a commit writes its whole
 * page. A file of an older release continues to have pages of 4 KiB.
 */
const PAGE_BYTES = 2_048;

/**
 * Opens a SQLite file with the settings of a ledger. The file has a write-ahead log, which {@link
 * LogSync} syncs to disk. Deleted cells are overwritten.
 * @throws LedgerUnavailable if the file can't be opened with these settings
 */
export function openSqliteDatabase(path: string, busyTimeoutMs: number): DatabaseSync {
  const file = resolve(path);
  let database: DatabaseSync | null = null;
  try {
    // A new file can be accessed only by its owner. SQLite gives the companion files `-wal` and
    // `-shm` the same mode.
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file, {
      timeout: busyTimeoutMs,
      enableForeignKeyConstraints: true,
      enableDoubleQuotedStringLiterals: false,
    });
    // The setting is NORMAL, because FULL would sync the log at every commit on the event loop.
    // With NORMAL, SQLite still syncs the log before copying a page from it, and syncs the log's
    // header when it restarts the log.
    database.exec(
      `pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on; pragma temp_store = memory`,
    );
    const pageBytes = Number(database.prepare('pragma page_size').get()?.['page_size']);
    database.exec(`pragma wal_autocheckpoint = ${LOG_BYTES / pageBytes}`);
    if (database.prepare('pragma journal_mode').get()?.['journal_mode'] !== 'wal')
      throw new Error('no write-ahead log here');
    // From here on the driver waits for the write lock, because SQLite's own wait blocks the event
    // loop.
    database.exec('pragma busy_timeout = 0');
    return database;
  } catch (cause) {
    database?.close();
    throw storeFailure('the ledger file could not be opened', cause);
  }
}

/**
 * Opens the log of a database that was just opened.
 * @throws LedgerUnavailable if the log can't be opened; the database is then closed
 */
export function openLog(database: DatabaseSync, path: string): LogFile {
  try {
    // This statement makes SQLite open the log.
    database.prepare('select count(*) from sqlite_schema').get();
    return new LogFile(database, resolve(path));
  } catch (cause) {
    database.close();
    throw storeFailure('the log of the ledger file could not be opened', cause);
  }
}

/** @param checkpoints checkpoints that truncate the write-ahead log after a redaction */
export function sqliteDialect(
  database: DatabaseSync,
  time: Pick<StoreTime, 'nowMs'>,
  checkpoints: { readonly emptied: (empty: () => void) => Promise<void> },
): SqlDialect {
  return {
    name: 'sqlite',
    rowLocks: false,
    time,
    write: (db, work) => db.transaction().execute(work),
    reads: (db) => db,
    // All commands are in one group, because SQLite has one writer at a time.
    groupOf: () => 'all',
    lostRace: isUniqueViolation,
    origin: null,
    sizes: () => sizesOf(database),
    diskFreeBytes: () => diskFreeBytes(fileOf(database)),
    async migrating(run) {
      // A table that is rebuilt is missing for a moment, so foreign keys are disabled here. This
      // setting can't be changed inside a transaction.
      database.exec('pragma foreign_keys = off');
      try {
        await run();
      } finally {
        database.exec('pragma foreign_keys = on');
      }
    },
    async forgetWiped() {
      // Deleted cells are overwritten in their pages, but the log still contains the old pages
      // until it is truncated.
      await checkpoints.emptied(() => {
        const outcome = database.prepare('pragma wal_checkpoint(truncate)').get();
        assertEmptied(outcome?.['busy'] !== 0);
      });
    },
  };
}

function fileOf(database: DatabaseSync): string {
  const file = database.location();
  if (file === null) throw new Error('a store in memory is on no disk');
  return file;
}

async function sizesOf(database: DatabaseSync): Promise<readonly StoreSize[]> {
  const file = fileOf(database);
  const pragma = (name: string): number => {
    const value = database.prepare(`pragma ${name}`).get()?.[name];
    if (typeof value !== 'number') throw new Error(`no ${name}`);
    return value;
  };
  const pageBytes = pragma('page_size');
  const log = await stat(`${file}-wal`).catch(() => null);
  return [
    { kind: 'database', bytes: pragma('page_count') * pageBytes },
    { kind: 'free', bytes: pragma('freelist_count') * pageBytes },
    { kind: 'log', bytes: log?.size ?? 0 },
    { kind: 'disk_free', bytes: await diskFreeBytes(file) },
  ];
}

async function diskFreeBytes(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(file);
  return bavail * bsize;
}

const UNIQUE_CODES: ReadonlySet<string | null> = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
]);

const isUniqueViolation = (error: unknown): boolean => UNIQUE_CODES.has(sqliteCodeOf(error));
