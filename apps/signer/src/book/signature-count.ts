import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { causeCodeOf } from '@sotto/kernel';
import { CannotStart } from '../cannot-start.js';

const LINE = /^sotto-signatures (\d{16})\n$/;
const lineOf = (id: number): string => `sotto-signatures ${String(id).padStart(16, '0')}\n`;

/**
 * Number of the newest signature, stored in a file next to the book. The number is needed to detect
 * a book whose log was truncated or lost. SQLite would open such a book without an error, and the
 * budget would restart.
 */
export class SignatureCount {
  /** True if the file with the count did not exist when the signer started. */
  readonly isNew: boolean;
  readonly #descriptor: number;

  /**
   * @param newestId number of the newest signature in the book
   * @throws CannotStart if the book lacks signatures, or the count can't be read
   */
  constructor(bookPath: string, newestId: number) {
    const path = countPathOf(bookPath);
    const counted = readCount(path);
    const missing = (counted ?? 0) - newestId;
    if (missing > 0)
      throw new CannotStart(
        `SIGNER_BOOK_PATH: the book lacks its last ${missing} signatures, so its budget is wrong. Restore the book, its -wal and its -count of one moment; or remove ${path} to continue without these signatures`,
      );
    this.isNew = counted === null;
    if (counted !== newestId) replace(path, lineOf(newestId));
    this.#descriptor = openSync(path, 'r+');
  }

  /** Writes the count to its file. @param id number of a signature that is on disk */
  note(id: number): void {
    try {
      writeSync(this.#descriptor, lineOf(id), 0);
    } catch {
      // The signature itself is on disk. An older count only weakens the check at the next start.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const countPathOf = (bookPath: string): string => `${resolve(bookPath)}-count`;

/** @returns null if the file does not exist, as for a book of an earlier release */
function readCount(path: string): number | null {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch (error) {
    if (causeCodeOf(error) === 'ENOENT') return null;
    throw new CannotStart(`SIGNER_BOOK_PATH: ${path} cannot be read (${causeCodeOf(error)})`);
  }
  const [, digits] = LINE.exec(text) ?? [];
  if (digits === undefined)
    throw new CannotStart(
      `SIGNER_BOOK_PATH: ${path} is damaged. Put back the book and its count; or remove that file if the book is whole`,
    );
  return Number(digits);
}

/** Replaces the file atomically: after a crash, either the old or the new content exists. */
function replace(path: string, text: string): void {
  const next = `${path}.new`;
  writeFileSync(next, text, { mode: 0o600, flush: true });
  renameSync(next, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
