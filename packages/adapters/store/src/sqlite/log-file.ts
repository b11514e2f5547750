import {
  close,
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

const dataToDisk = promisify(fdatasync);
const toDisk = promisify(fsync);
const closed = promisify(close);

const CHUNK_BYTES = 1_048_576;

/** File operations that {@link LogSync} needs. */
export interface SyncedFile {
  /** Resolves when all data written before the call is on disk. */
  sync(): Promise<void>;
  /**
   * Overwrites the file with its own content, so that the next sync covers the whole file. Waits
   * for other writers, then blocks them until the rewrite has ended.
   */
  rewrite(): void;
  close(): Promise<void>;
}

/**
 * Access to SQLite's write-ahead log through a separate descriptor. SQLite truncates and restarts
 * the log, but does not replace the file until the last connection closes. SQLite has no locks on
 * this file, so closing the descriptor releases no lock.
 */
export class LogFile implements SyncedFile {
  readonly #descriptor: number;
  /** Descriptor of the directory; null once the file's directory entry is on disk. */
  #directory: number | null;

  /** @param database database that has already opened the log file */
  constructor(
    private readonly database: DatabaseSync,
    path: string,
  ) {
    this.#descriptor = openSync(`${path}-wal`, 'r+');
    this.#directory = openSync(dirname(path), 'r');
  }

  async sync(): Promise<void> {
    await dataToDisk(this.#descriptor);
    if (this.#directory === null) return;
    await toDisk(this.#directory);
    closeSync(this.#directory);
    this.#directory = null;
  }

  rewrite(): void {
    this.database.exec('begin immediate');
    try {
      const { size } = fstatSync(this.#descriptor);
      const chunk = Buffer.alloc(Math.min(size, CHUNK_BYTES));
      for (let at = 0; at < size;) {
        const read = readSync(this.#descriptor, chunk, 0, chunk.length, at);
        if (read === 0) throw new Error('the log is shorter than it was');
        for (let done = 0; done < read;)
          done += writeSync(this.#descriptor, chunk, done, read - done, at + done);
        at += read;
      }
    } finally {
      this.database.exec('rollback');
    }
  }

  async close(): Promise<void> {
    if (this.#directory !== null) closeSync(this.#directory);
    await closed(this.#descriptor);
  }
}
