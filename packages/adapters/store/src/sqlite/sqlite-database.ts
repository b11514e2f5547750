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

/** The log is emptied elsewhere; this is the limit where it is not. */
const LOG_BYTES = 134_217_728;
/**
 * Of a file that is made here: a commit writes each page whole of which it has changed a row, or an
 * entry of an index. A file of an earlier release keeps its pages of 4 KiB.
 */
const PAGE_BYTES = 2_048;

/**
 * Opens a SQLite file the way a ledger needs it: write-ahead log, which {@link LogSync} brings to
 * disk, deleted cells overwritten.
 * @throws LedgerUnavailable when that can't be had.
 */
export function openSqliteDatabase(path: string, busyTimeoutMs: number): DatabaseSync {
  const file = resolve(path);
  let database: DatabaseSync | null = null;
  try {
    // A new file is its owner's only; SQLite gives its companions the mode of the file.
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file, {
      timeout: busyTimeoutMs,
      enableForeignKeyConstraints: true,
      enableDoubleQuotedStringLiterals: false,
    });
    // NORMAL: FULL would sync the log at every commit, on the event loop. SQLite still syncs it
    // before a page is copied out of it, and its header when it begins again.
    database.exec(
      `pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on; pragma temp_store = memory`,
    );
    const pageBytes = Number(database.prepare('pragma page_size').get()?.['page_size']);
    database.exec(`pragma wal_autocheckpoint = ${LOG_BYTES / pageBytes}`);
    if (database.prepare('pragma journal_mode').get()?.['journal_mode'] !== 'wal')
      throw new Error('no write-ahead log here');
    // From here on the driver waits, not SQLite: its wait stops the event loop.
    database.exec('pragma busy_timeout = 0');
    return database;
  } catch (cause) {
    database?.close();
    throw storeFailure('the ledger file could not be opened', cause);
  }
}

/**
 * The log of a database that was just opened.
 * @throws LedgerUnavailable when it can't be had; the database is closed then
 */
export function openLog(database: DatabaseSync, path: string): LogFile {
  try {
    // Opens the log.
    database.prepare('select count(*) from sqlite_schema').get();
    return new LogFile(database, resolve(path));
  } catch (cause) {
    database.close();
    throw storeFailure('the log of the ledger file could not be opened', cause);
  }
}

/** @param checkpoints whatever else empties the log */
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
    // There is one writer at a time.
    groupOf: () => 'all',
    lostRace: isUniqueViolation,
    origin: null,
    sizes: () => sizesOf(database),
    diskFreeBytes: () => diskFreeBytes(fileOf(database)),
    async migrating(run) {
      // A table that is rebuilt is missing for a moment, and inside a transaction the setting can't
      // be changed.
      database.exec('pragma foreign_keys = off');
      try {
        await run();
      } finally {
        database.exec('pragma foreign_keys = on');
      }
    },
    async forgetWiped() {
      // Deleted cells are overwritten in their pages, but the log still has the pages as they were.
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
