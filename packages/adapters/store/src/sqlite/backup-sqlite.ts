import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { causeCodeOf } from '@sotto/kernel';
import { storeFailure } from '../map-store-errors.js';
import { synced } from './synced.js';

export interface SqliteBackup {
  readonly bytes: number;
}

/**
 * Copies a consistent state of a ledger file to a new file. The service may continue to write, but
 * the thread that calls this function is blocked. When the function returns, the copy is checked
 * and on disk. The copy has no deleted rows and no unused pages, and only its owner can access it.
 *
 * A failed copy leaves no file under the target's name. Partial copies of killed processes are
 * removed. The copy's header declares that the copy has no log. A store that opens the copy
 * therefore knows that newer rows may be missing.
 * @throws LedgerUnavailable if the copy fails; its `causeCode` is EEXIST if the target already
 *   exists
 */
export function backupSqlite(path: string, target: string): SqliteBackup {
  const file = resolve(target);
  // The name is unique across processes and containers.
  const partial = `${file}.${process.pid}-${randomUUID()}.partial`;
  try {
    removePartials(file);
    // This call created the partial file, so only this call may remove it.
    closeSync(openSync(partial, 'wx', 0o600));
    try {
      copyTo(partial, resolve(path));
      checkCopy(partial);
      synced(partial);
      // Unlike a rename, a link never replaces a file.
      linkSync(partial, file);
    } finally {
      rmSync(partial, { force: true });
    }
    synced(dirname(file));
    return { bytes: statSync(file).size };
  } catch (cause) {
    throw storeFailure('the ledger file could not be copied', cause);
  }
}

const PARTIAL = /^\.(\d+)-[-0-9a-f]+\.partial$/;

/** Removes partial copies of this target that killed processes have left. */
function removePartials(file: string): void {
  const [folder, name] = [dirname(file), basename(file)];
  for (const found of readdirSync(folder)) {
    const [, pid] = found.startsWith(name) ? (PARTIAL.exec(found.slice(name.length)) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, found), { force: true });
  }
}

/**
 * Returns true if the process id belongs to another running process. False for this process, which
 * makes only one copy at a time.
 */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return causeCodeOf(cause) !== 'ESRCH';
  }
}

function copyTo(partial: string, path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    // `vacuum into` runs in a single read transaction; writers can continue to write to the log.
    database.prepare('vacuum into ?').run(partial);
  } finally {
    database.close();
  }
}

/** @throws Error if the copy is damaged or not a ledger */
function checkCopy(partial: string): void {
  const database = new DatabaseSync(partial, { readOnly: true });
  try {
    const result = database.prepare('pragma quick_check').get()?.['quick_check'];
    if (result !== 'ok') throw coded('the copy is damaged', 'SQLITE_CORRUPT');
    const isLedger = `select 1 from sqlite_schema where name = 'kysely_migration'`;
    if (database.prepare(isLedger).get() === undefined)
      throw coded('the file is no ledger', 'SQLITE_NOTADB');
  } finally {
    database.close();
  }
}

const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });
