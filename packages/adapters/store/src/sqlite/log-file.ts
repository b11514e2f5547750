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

/** What {@link LogSync} does to the file. */
export interface SyncedFile {
  /** Resolves when all that was written before the call is on disk. */
  sync(): Promise<void>;
  /**
   * Writes what the file holds over itself, so that the next sync has all of it to do. It waits for
   * other writers, and none of them writes meanwhile.
   */
  rewrite(): void;
  close(): Promise<void>;
}

/**
 * SQLite's write-ahead log, by a descriptor of our own. SQLite keeps the file it has open until the
 * last connection closes: it is emptied and begun again, and never another one. No lock of SQLite
 * is on this file, so that to close the descriptor takes none away.
 */
export class LogFile implements SyncedFile {
  readonly #descriptor: number;
  /** Null once the file's name is on disk too. */
  #directory: number | null;

  /** @param database has the file open already */
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
