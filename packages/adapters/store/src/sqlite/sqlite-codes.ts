/** Result codes of SQLite by number, <https://sqlite.org/rescode.html>. */
const PRIMARY_CODES: ReadonlyMap<number, string> = new Map([
  [1, 'SQLITE_ERROR'],
  [3, 'SQLITE_PERM'],
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
  [17, 'SQLITE_SCHEMA'],
  [19, 'SQLITE_CONSTRAINT'],
  [26, 'SQLITE_NOTADB'],
]);

/** Names of extended result codes by number, for primary codes that do not identify the problem. */
const EXTENDED_CODES: ReadonlyMap<number, string> = new Map([
  [266, 'SQLITE_IOERR_READ'],
  [522, 'SQLITE_IOERR_SHORT_READ'],
  [778, 'SQLITE_IOERR_WRITE'],
  [1034, 'SQLITE_IOERR_FSYNC'],
  [1290, 'SQLITE_IOERR_DIR_FSYNC'],
  [1546, 'SQLITE_IOERR_TRUNCATE'],
  [1032, 'SQLITE_READONLY_DBMOVED'],
  [1544, 'SQLITE_READONLY_DIRECTORY'],
  [1555, 'SQLITE_CONSTRAINT_PRIMARYKEY'],
  [2067, 'SQLITE_CONSTRAINT_UNIQUE'],
]);

const PRIMARY_BITS = 256;

/** Returns the name of the result code of a `node:sqlite` error; null for any other error. */
export function sqliteCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return null;
  const { errcode } = error;
  if (typeof errcode !== 'number') return null;
  return EXTENDED_CODES.get(errcode) ?? PRIMARY_CODES.get(errcode % PRIMARY_BITS) ?? 'SQLITE_ERROR';
}
