import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { causeCodeOf } from '@sotto/kernel';
import { LedgerDamaged, LedgerIncomplete, LedgerReadOnly } from '../errors.js';
import { heartbeatPath, readHeartbeat } from './heartbeat.js';
import { isOlderThanLog } from './log-start.js';
import { sqliteCodeOf } from './sqlite-codes.js';

/**
 * Maximum file size for the check at start, in bytes. Larger files, whose check would need minutes,
 * are checked only by `sotto doctor`.
 */
const MOST_BYTES = 1_073_741_824;
/** Offsets and values of SQLite's file format, <https://sqlite.org/fileformat.html>. */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const WRITE_VERSION_AT = 18;
const LINEAGE_AT = 60;
const WITH_LOG = 2;

/**
 * Depth of the check. `quick` checks the structure of tables and indexes of files up to 1 GB.
 * `whole` also checks the content of indexes, for files of any size.
 */
export type CheckDepth = 'quick' | 'whole';

/**
 * Checks a ledger's file and its write-ahead log before use, without changing them. The check is
 * necessary because SQLite opens a file whose log is missing or incomplete, and later writes would
 * destroy the remaining commits in the log.
 *
 * Acknowledged commits must not be missing. Unacknowledged commits may be missing after a power
 * cut. A file of an older release has no identity and no commit count, so only its structure is
 * checked.
 * @returns true if SQLite wrote the file as a copy (VACUUM INTO, `sotto backup`) and no store has
 *   opened the copy yet
 * @throws LedgerReadOnly, LedgerIncomplete, LedgerDamaged
 */
export function checkFiles(path: string, depth: CheckDepth): boolean {
  const file = resolve(path);
  assertWritable(file);
  const header = readHeader(file);
  const logBytes = sizeOf(`${file}-wal`);
  // The heartbeat is read before the commit count in the file, because a process that has the file
  // open continues to count commits.
  const heartbeat = readHeartbeat(file);
  const before = heartbeat === 'accepted' ? null : heartbeat;
  if (header === null) {
    if ((sizeOf(file) ?? 0) > 0) throw damaged('no header');
    if ((logBytes ?? 0) > 0) throw incomplete('the log is there and the file is not');
    if (before !== null && before.commits > 0n)
      throw incomplete(sizeOf(file) === null ? 'the file is missing' : 'the file is empty');
    return false;
  }
  if (!header.hasLog && (logBytes ?? 0) > 0) throw incomplete('the log belongs to another file');
  // A file without a heartbeat may be a file of any type; SQLite itself rejects a file that is not
  // a database.
  if (header.isForeign && heartbeat !== null) throw damaged('no header');
  const isCopy = !header.hasLog;
  const isKnown = !isCopy && header.lineage !== 0 && before?.lineage === header.lineage;
  // The log is checked before SQLite opens the file, because SQLite would create an empty log.
  const isLogDue = header.isOpen && header.hasLog && heartbeat !== 'accepted';
  if (!isKnown && isLogDue && (logBytes ?? 0) === 0) throw incomplete('the log is missing');
  const rows = readRows(file, depth, (sizeOf(file) ?? 0) + (logBytes ?? 0));
  if (header.lineage === 0) return isCopy;
  if (rows.origin !== null && rows.origin !== header.lineage)
    throw incomplete('the log belongs to another file');
  if (rows.rootPage !== null && isOlderThanLog(file, rows.rootPage))
    throw incomplete('the file is older than its log');
  if (isKnown && rows.commits < before.commits)
    throw incomplete('acknowledged commits are missing', {
      missing: String(before.commits - rows.commits),
    });
  return isCopy;
}

interface Header {
  /** Lineage of the file; zero if no release with heartbeats has opened the file. */
  readonly lineage: number;
  /** True if the file was not closed properly or is open, so its log must exist. */
  readonly isOpen: boolean;
  readonly hasLog: boolean;
  /** True if the header is not that of a SQLite database. */
  readonly isForeign: boolean;
}

/**
 * Reads the header of the database file, without the log; null if the file is missing or shorter
 * than a header.
 */
function readHeader(file: string): Header | null {
  const bytes = Buffer.alloc(HEADER_BYTES);
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (cause) {
    if (causeCodeOf(cause) === 'ENOENT') return null;
    throw cause;
  }
  try {
    if (readSync(descriptor, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
  } finally {
    closeSync(descriptor);
  }
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return { lineage: 0, isOpen: false, hasLog: true, isForeign: true };
  const stored = bytes.readUInt32BE(LINEAGE_AT);
  return {
    lineage: lineageOf(stored),
    isOpen: stored !== lineageOf(stored),
    hasLog: bytes[WRITE_VERSION_AT] === WITH_LOG,
    isForeign: false,
  };
}

/**
 * Returns the number that the header contains: for a file that a process has open, or for a file
 * that was closed properly.
 */
export const headerOf = (lineage: number, isOpen: boolean): number => lineage + (isOpen ? 1 : 0);
export const lineageOf = (stored: number): number => stored - (stored % 2);

/**
 * Reads facts from the file and its log. The database is opened read-only, so closing it does not
 * change the log.
 */
function readRows(
  file: string,
  depth: CheckDepth,
  bytes: number,
): {
  readonly commits: bigint;
  readonly origin: number | null;
  /** Number of the page with the row that counts commits; null if that row does not exist. */
  readonly rootPage: number | null;
} {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
    if (depth === 'whole' || bytes <= MOST_BYTES) {
      const check = depth === 'whole' ? 'integrity_check' : 'quick_check';
      const found = database.prepare(`pragma ${check}(1)`).get()?.[check];
      if (found !== 'ok') throw damaged(String(found));
    }
    const hasCount = database
      .prepare(`select 1 from pragma_table_info('canary') where name = 'origin'`)
      .get();
    if (hasCount === undefined) return { commits: 0n, origin: null, rootPage: null };
    const statement = database.prepare('select writes, origin from canary');
    statement.setReadBigInts(true);
    const { writes = 0n, origin = null } = statement.get() ?? {};
    const schema = database.prepare(`select rootpage from sqlite_schema where name = 'canary'`);
    return {
      commits: typeof writes === 'bigint' ? writes : 0n,
      origin: typeof origin === 'string' ? Number(origin) : null,
      rootPage: Number(schema.get()?.['rootpage']),
    };
  } catch (cause) {
    if (sqliteCodeOf(cause) !== 'SQLITE_CORRUPT') throw cause;
    throw new LedgerDamaged({
      details: { finding: 'SQLITE_CORRUPT' },
      cause,
      causeCode: 'SQLITE_CORRUPT',
    });
  } finally {
    database?.close();
  }
}

/** @throws LedgerReadOnly if the file, one of its companion files or the folder is not writable */
function assertWritable(file: string): void {
  for (const place of [file, `${file}-wal`, `${file}-shm`, heartbeatPath(file), dirname(file)])
    try {
      accessSync(place, constants.W_OK);
      // The check does not open the file, because closing a descriptor would release SQLite's
      // locks.
      if (place !== dirname(file) && statSync(place).isDirectory())
        throw Object.assign(new Error(`${place} is a folder`), { code: 'EISDIR' });
    } catch (cause) {
      const code = causeCodeOf(cause);
      if (code === 'ENOENT') continue;
      throw new LedgerReadOnly({
        message: `${LedgerReadOnly.meaning} Here: ${basename(place)}.`,
        details: { place: place === dirname(file) ? 'folder' : 'file' },
        cause,
        causeCode: code,
      });
    }
}

function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}

const damaged = (finding: string) =>
  new LedgerDamaged({
    message: `${LedgerDamaged.meaning} Here: ${finding}.`,
    details: { finding },
  });

// The log of the service contains the error's message but not its details, so the message contains
// the reason.
const incomplete = (reason: string, details: { readonly missing?: string } = {}) =>
  new LedgerIncomplete({
    message: `${LedgerIncomplete.meaning} Here: ${reason}.`,
    details: { reason, ...details },
  });
