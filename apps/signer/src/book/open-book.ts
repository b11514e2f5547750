import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { causeCodeOf } from '@sotto/kernel';
import { CannotStart } from '../cannot-start.js';
import { SCHEMA } from './schema.js';

/** Result codes of SQLite, <https://sqlite.org/rescode.html>. */
const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const PRIMARY_BITS = 256;

/**
 * Opens the book's file for this process only, and creates it if it is missing.
 * @throws CannotStart if the file is damaged, can't be opened or is in use by another signer
 */
export function openBook(path: string): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    // Only its owner can read a new file. SQLite creates its companion files with the same mode.
    closeSync(openSync(path, 'a', 0o600));
    const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    // If the book's file is empty but its log has bytes, the file has lost its content, because
    // SQLite writes the file before the log. SQLite would delete the log of an empty file.
    if (statSync(path).size === 0 && logBytes > 0)
      throw new CannotStart(
        'SIGNER_BOOK_PATH: the book is damaged: the file is empty and its log is not',
      );
    database = new DatabaseSync(path, { enableDoubleQuotedStringLiterals: false });
    database.exec(
      'pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full',
    );
    const found = database.prepare('pragma quick_check(1)').get()?.['quick_check'];
    if (found !== 'ok')
      throw new CannotStart(`SIGNER_BOOK_PATH: the book is damaged: ${String(found)}`);
    database.exec(`begin immediate; ${SCHEMA} commit`);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof CannotStart ? error : new CannotStart(meaningOf(error));
  }
}

function meaningOf(error: unknown): string {
  const code = resultCodeOf(error);
  if (code === BUSY) return 'SIGNER_BOOK_PATH: another signer has the book';
  if (code === CORRUPT || code === NOT_A_DATABASE)
    return 'SIGNER_BOOK_PATH: the book is damaged: put back a copy of its folder';
  return `SIGNER_BOOK_PATH: the book cannot be opened (${code ?? causeCodeOf(error) ?? 'no cause'})`;
}

function resultCodeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode % PRIMARY_BITS : null;
}
