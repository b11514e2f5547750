import { closeSync, openSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { causeCodeOf } from '@sotto/kernel';

/**
 * Offsets and sizes of SQLite's log format,
 * <https://sqlite.org/fileformat.html#the_write_ahead_log>.
 */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_SIZE_AT = 8;
const SALTS_AT = 16;
const FRAME_SALTS_AT = 8;
const SALTS_BYTES = 8;
/**
 * Offsets and values of a page of the database file,
 * <https://sqlite.org/fileformat.html#b_tree_pages>.
 */
const LEAF_OF_TABLE = 0x0d;
const CELLS_AT = 3;
const FIRST_CELL_AT = 8;
/**
 * Sizes of integers by serial type, in bytes. The serial types 8 and 9 are the constants 0 and 1.
 */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 0, 0, 0] as const;
const CONSTANT_ZERO = 8;

/**
 * Returns true if commits are missing between the file and its log. Then the file is an older
 * version of the same ledger, and the commits between the file's last commit and the log's first
 * commit are lost. Every commit increments a counter, and SQLite restarts its log only after
 * copying all of the log to the file. The first count in the log of an intact ledger therefore
 * exceeds the file's count by at most one.
 * @param rootPage page of the row that counts commits
 */
export function isOlderThanLog(file: string, rootPage: number): boolean {
  const logged = firstLoggedCount(`${file}-wal`, rootPage);
  const copied = logged === null ? null : countWithoutLog(file);
  return logged !== null && copied !== null && logged > copied + 1n;
}

/**
 * Reads the commit count from the file without its log; null if the file has no commit count or is
 * unreadable without its log.
 */
function countWithoutLog(file: string): bigint | null {
  const url = pathToFileURL(file);
  // With `immutable`, SQLite neither reads the log nor locks the file.
  url.search = '?immutable=1&mode=ro';
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    const statement = database.prepare('select writes from canary where origin is not null');
    statement.setReadBigInts(true);
    const writes = statement.get()?.['writes'];
    return typeof writes === 'bigint' ? writes : null;
  } catch {
    return null;
  } finally {
    database?.close();
  }
}

/**
 * Returns the commit count in the log's first copy of the page `rootPage`; null if the log contains
 * no copy of this page.
 */
function firstLoggedCount(log: string, rootPage: number): bigint | null {
  let descriptor: number;
  try {
    descriptor = openSync(log, 'r');
  } catch (cause) {
    if (causeCodeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
  try {
    const header = readAt(descriptor, 0, LOG_HEADER_BYTES);
    if (header === null) return null;
    const pageBytes = header.readUInt32BE(PAGE_SIZE_AT);
    const salts = header.subarray(SALTS_AT, SALTS_AT + SALTS_BYTES);
    for (let at = LOG_HEADER_BYTES; ; at += FRAME_HEADER_BYTES + pageBytes) {
      const frame = readAt(descriptor, at, FRAME_HEADER_BYTES);
      // The log was restarted: frames whose salts differ from those in the log's header are from
      // before the restart. They follow the current frames.
      if (frame === null || !salts.equals(frame.subarray(FRAME_SALTS_AT, FRAME_SALTS_AT + 8)))
        return null;
      if (frame.readUInt32BE(0) !== rootPage) continue;
      const page = readAt(descriptor, at + FRAME_HEADER_BYTES, pageBytes);
      return page === null ? null : countIn(page);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns the value of the second column if the page belongs to a table with a single row; null for
 * any other page.
 */
function countIn(page: Buffer): bigint | null {
  if (page[0] !== LEAF_OF_TABLE || page.readUInt16BE(CELLS_AT) !== 1) return null;
  let at = page.readUInt16BE(FIRST_CELL_AT);
  const next = (): number => {
    let value = 0;
    for (;;) {
      const byte = page.readUInt8(at);
      at += 1;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  // Skip the payload length and the row id.
  next();
  next();
  const begin = at;
  const headerBytes = next();
  const [idType, countType] = [next(), next()];
  const idBytes = INTEGER_BYTES[idType];
  const countBytes = INTEGER_BYTES[countType];
  if (idBytes === undefined || countBytes === undefined) return null;
  if (countBytes === 0) return countType < CONSTANT_ZERO ? null : BigInt(countType - CONSTANT_ZERO);
  const bytes = page.subarray(begin + headerBytes + idBytes).subarray(0, countBytes);
  return BigInt(`0x${bytes.toString('hex')}`);
}

/** Reads bytes from a file; null if the file ends before `at + length`. */
function readAt(descriptor: number, at: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length);
  return readSync(descriptor, bytes, 0, length, at) === length ? bytes : null;
}
