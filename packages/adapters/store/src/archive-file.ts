import { randomUUID } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchivedNonce } from '@sotto/submission-core';

/**
 * JSON lines file `ended-<time>-<random>.jsonl` for archived rows. Each process creates a new file
 * when it archives its first rows. Amounts are decimal text. If a process ends in the middle of a
 * line, the ledger still has the rows of that line, and a later file contains them completely.
 */
export class ArchiveFile {
  #file: FileHandle | null = null;

  /** @param folder path of the folder; the folder is created if it does not exist */
  constructor(
    private readonly folder: string,
    private readonly nowMs: number,
  ) {}

  /** Resolves when the given rows are on disk. */
  async keep(rows: readonly ArchivedNonce[]): Promise<void> {
    this.#file ??= await this.#begin();
    await this.#file.appendFile(rows.map(lineOf).join(''));
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #begin(): Promise<FileHandle> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const time = new Date(this.nowMs).toISOString().replaceAll(/[:.]/g, '-');
    const file = await open(join(this.folder, `ended-${time}-${randomUUID()}.jsonl`), 'ax', 0o600);
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    return file;
  }
}

const lineOf = (row: ArchivedNonce): string =>
  `${JSON.stringify(row, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`;
