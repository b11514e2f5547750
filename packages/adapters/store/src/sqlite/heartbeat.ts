import {
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { synced } from './synced.js';

/**
 * Interval between two syncs of the heartbeat file, in milliseconds. A power cut may lose the
 * heartbeats of this interval, which weakens the check at the next start.
 */
const SYNC_EVERY_MS = 1_000;
const ACCEPTED = 'sotto-heartbeat accepted\n';
const LINE = /^sotto-heartbeat 1 (\d{10}) (\d{20}) (\d{20}-\d{20})\n$/;

/** Facts about a ledger file that are stored outside of it. */
export interface Heartbeat {
  /** Identity that the file received at its first opening. */
  readonly lineage: number;
  /**
   * Number of acknowledged commits at the last write of the heartbeat. A ledger file that counts
   * fewer commits lacks acknowledged commits.
   */
  readonly commits: bigint;
  /**
   * Inode and creation time of the ledger file. A copy of the file has the same lineage but a
   * different value.
   */
  readonly fileId: string;
}

export const heartbeatPath = (path: string): string => `${resolve(path)}-heartbeat`;

/**
 * Reads the heartbeat of a ledger file. Returns `accepted` if an operator has accepted that commits
 * are missing; null if the heartbeat file is missing or malformed.
 */
export function readHeartbeat(path: string): Heartbeat | 'accepted' | null {
  let text: string;
  try {
    text = readFileSync(heartbeatPath(path), 'latin1');
  } catch {
    return null;
  }
  if (text === ACCEPTED) return 'accepted';
  const [, lineage, commits, fileId] = LINE.exec(text) ?? [];
  if (lineage === undefined || commits === undefined || fileId === undefined) return null;
  return { lineage: Number(lineage), commits: BigInt(commits), fileId };
}

/** Writes the heartbeat file to disk, and also the directory entry of this file. */
export function writeHeartbeat(path: string, heartbeat: Heartbeat): void {
  replaceHeartbeat(path, lineOf(heartbeat));
}

/**
 * Permits the next start to open a ledger file that lacks acknowledged commits. The ledger is then
 * marked as a possible copy. The service must not be running.
 */
export function acceptIncompleteLedger(path: string): void {
  replaceHeartbeat(path, ACCEPTED);
}

/**
 * Returns an identifier of a file. The inode alone is insufficient, because ext4 reuses the inode
 * of a deleted file.
 */
export function fileIdOf(path: string): string {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${digits(ino, 20)}-${digits(birthtimeNs, 20)}`;
}

/**
 * Records the number of acknowledged commits next to the ledger's file. The number is written
 * before a commit is acknowledged, so it survives a killed process. The file is synced to disk
 * periodically. If several processes share the ledger, the last writer determines the value.
 */
export class HeartbeatFile {
  readonly #descriptor: number;
  readonly #of: Omit<Heartbeat, 'commits'>;
  #commits: bigint;
  #syncedAtMs = 0;
  #isSyncing = false;
  #isClosed = false;

  constructor(path: string, { commits, ...of }: Heartbeat) {
    this.#descriptor = openSync(heartbeatPath(path), 'r+');
    this.#of = of;
    this.#commits = commits;
  }

  /** @param commits commit count of the ledger file; all these commits are on disk */
  note(commits: bigint): void {
    if (commits <= this.#commits) return;
    this.#commits = commits;
    try {
      writeSync(this.#descriptor, lineOf({ ...this.#of, commits }), 0);
    } catch {
      // Ignore the failure, because the commit itself is on disk. An outdated heartbeat only
      // weakens the check at the next start.
      return;
    }
    const nowMs = performance.now();
    if (this.#isSyncing || nowMs - this.#syncedAtMs < SYNC_EVERY_MS) return;
    this.#isSyncing = true;
    fdatasync(this.#descriptor, () => {
      this.#isSyncing = false;
      this.#syncedAtMs = performance.now();
      if (this.#isClosed) closeSync(this.#descriptor);
    });
  }

  close(): void {
    this.#isClosed = true;
    if (!this.#isSyncing) closeSync(this.#descriptor);
  }
}

function replaceHeartbeat(path: string, text: string): void {
  const file = heartbeatPath(path);
  // The existing file is overwritten instead of replaced by a rename, because another process may
  // have it open.
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    writeSync(descriptor, text, 0);
    ftruncateSync(descriptor, text.length);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  synced(dirname(file));
}

const lineOf = ({ lineage, commits, fileId }: Heartbeat): string =>
  `sotto-heartbeat 1 ${digits(lineage, 10)} ${digits(commits, 20)} ${fileId}\n`;

const digits = (value: number | bigint, length: number): string =>
  String(value).padStart(length, '0');
