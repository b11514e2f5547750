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

/** A power cut may lose heartbeats of this time: the check of the next start is weaker then. */
const SYNC_EVERY_MS = 1_000;
const ACCEPTED = 'sotto-heartbeat accepted\n';
const LINE = /^sotto-heartbeat 1 (\d{10}) (\d{20}) (\d{20}-\d{20})\n$/;

/** Facts about a ledger's file that are kept outside of it. */
export interface Heartbeat {
  /** Identity that the file has had since its first opening. */
  readonly lineage: number;
  /** Commits that were acknowledged: a file with fewer lacks some. */
  readonly commits: bigint;
  /** Inode and time of birth: others are those of another file of this lineage. */
  readonly fileId: string;
}

export const heartbeatPath = (path: string): string => `${resolve(path)}-heartbeat`;

/**
 * Heartbeat of a ledger file; `accepted` after an operator accepted the loss of commits; null if
 * the file is missing or cannot be parsed.
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

/** Writes a heartbeat and its name to disk. */
export function writeHeartbeat(path: string, heartbeat: Heartbeat): void {
  replaceHeartbeat(path, lineOf(heartbeat));
}

/**
 * Lets the next start open a ledger file that lacks acknowledged commits. It is marked as a
 * possible copy then. The service must not run.
 */
export function acceptIncompleteLedger(path: string): void {
  replaceHeartbeat(path, ACCEPTED);
}

/** The inode alone is not enough: ext4 gives that of a deleted file to the next one. */
export function fileIdOf(path: string): string {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${digits(ino, 20)}-${digits(birthtimeNs, 20)}`;
}

/**
 * Counts acknowledged commits beside the ledger's file: written before each answer, so that it
 * survives the process, and synced from time to time. Of several processes the last one counts.
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

  /** @param commits all of them are on disk */
  note(commits: bigint): void {
    if (commits <= this.#commits) return;
    this.#commits = commits;
    try {
      writeSync(this.#descriptor, lineOf({ ...this.#of, commits }), 0);
    } catch {
      // The commit itself is on disk. An older heartbeat only weakens the next start's check.
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
  // In place, without a rename: another process may have it open.
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
