import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { causeCodeOf } from '@sotto/kernel';
import { LedgerDamaged, LedgerIncomplete, LedgerReadOnly } from '../errors.js';
import { heartbeatPath, readHeartbeat } from './heartbeat.js';
import { isOlderThanLog } from './log-start.js';
import { sqliteCodeOf } from './sqlite-codes.js';

/** A file above this size is checked by `sotto doctor` only: a start has no minutes for it. */
const MOST_BYTES = 1_073_741_824;
/** Of SQLite's file format, <https://sqlite.org/fileformat.html>. */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const WRITE_VERSION_AT = 18;
const LINEAGE_AT = 60;
const WITH_LOG = 2;

/**
 * Quick: structure of tables and indexes, up to 1 GB. Whole: content of indexes too, at any size.
 */
export type CheckDepth = 'quick' | 'whole';

/**
 * Checks a ledger's file and its log before they are used, and changes neither: SQLite opens a file
 * without its log, or with what is left of it, and later writes destroy the rest.
 *
 * Nothing that was acknowledged may be missing. Commits that were not acknowledged may be, after a
 * power cut. A file of an earlier release has no identity and no count of commits: only its
 * structure is checked.
 * @returns true if SQLite wrote the file as a copy (VACUUM INTO, `sotto backup`) and no store has
 *   opened it since
 * @throws LedgerReadOnly, LedgerIncomplete, LedgerDamaged
 */
export function checkFiles(path: string, depth: CheckDepth): boolean {
  const file = resolve(path);
  assertWritable(file);
  const header = readHeader(file);
  const logBytes = sizeOf(`${file}-wal`);
  // Read before the file: a process that has it open counts on.
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
  // Without a heartbeat SQLite refuses it: it may be any file.
  if (header.isForeign && heartbeat !== null) throw damaged('no header');
  const isCopy = !header.hasLog;
  const isKnown = !isCopy && header.lineage !== 0 && before?.lineage === header.lineage;
  // SQLite makes an empty log, so this comes before it opens the file.
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
  /** Zero for a file that no release with heartbeats has opened. */
  readonly lineage: number;
  /** A process had it open; its log is missing if it is not there. */
  readonly isOpen: boolean;
  readonly hasLog: boolean;
  /** It is not that of a database. */
  readonly isForeign: boolean;
}

/** Header of the file itself, without the log; null if it is missing. */
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

/** Number in the file's header while a process has the file open, and after the last one closed. */
export const headerOf = (lineage: number, isOpen: boolean): number => lineage + (isOpen ? 1 : 0);
export const lineageOf = (stored: number): number => stored - (stored % 2);

/** Reads what the file and its log say together. Read only: closing it leaves the log as it is. */
function readRows(
  file: string,
  depth: CheckDepth,
  bytes: number,
): {
  readonly commits: bigint;
  readonly origin: number | null;
  /** Page that counts commits; null if none does. */
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

/** @throws LedgerReadOnly for the file, a companion of it, or the folder */
function assertWritable(file: string): void {
  for (const place of [file, `${file}-wal`, `${file}-shm`, heartbeatPath(file), dirname(file)])
    try {
      accessSync(place, constants.W_OK);
      // No file is opened to find this out: closing it would give up SQLite's locks.
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

// Logs have the message and no details.
const incomplete = (reason: string, details: { readonly missing?: string } = {}) =>
  new LedgerIncomplete({
    message: `${LedgerIncomplete.meaning} Here: ${reason}.`,
    details: { reason, ...details },
  });
