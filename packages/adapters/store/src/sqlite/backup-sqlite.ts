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
 * Copies a ledger's file, as it stands at one moment, to a file that is not there yet. The service
 * may go on writing meanwhile. The copy holds no deleted rows and no unused pages, is its owner's
 * only, was checked and is on disk when this returns; a copy that failed leaves nothing under the
 * target's name, and partial copies of killed processes are removed. Its header says that it has no
 * log, which marks it: a store that opens it knows that rows of the original may be missing. The
 * thread stands still meanwhile.
 * @throws LedgerUnavailable, whose `causeCode` says why: EEXIST where the target is there already
 */
export function backupSqlite(path: string, target: string): SqliteBackup {
  const file = resolve(target);
  // A name that no other process has, in this container or another.
  const partial = `${file}.${process.pid}-${randomUUID()}.partial`;
  try {
    removePartials(file);
    // Made by this call, so it is this call that may remove it.
    closeSync(openSync(partial, 'wx', 0o600));
    try {
      copyTo(partial, resolve(path));
      checkCopy(partial);
      synced(partial);
      // Unlike a rename it replaces nothing.
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

/** Removes copies of this target that killed processes have left. */
function removePartials(file: string): void {
  const [folder, name] = [dirname(file), basename(file)];
  for (const found of readdirSync(folder)) {
    const [, pid] = found.startsWith(name) ? (PARTIAL.exec(found.slice(name.length)) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, found), { force: true });
  }
}

/** True for another process: this one makes one copy at a time. */
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
    // One read transaction: writers go on in the log.
    database.prepare('vacuum into ?').run(partial);
  } finally {
    database.close();
  }
}

/** @throws Error when the copy is damaged, or one of something else */
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
