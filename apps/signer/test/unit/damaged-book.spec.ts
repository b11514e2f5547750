import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { Book } from '../../src/book/book.js';

const PARTS = ['', '-wal', '-count'] as const;
const SIGNATURES = 40;

function sign(book: Book, nonce: bigint): void {
  const account = toFelt('0xa1');
  book.record({ kind: 'invoke', account, nonce, hash: toFelt(nonce), what: [], boundFri: 1n }, [
    { what: 'gas', amount: 1n, limits: { perHour: null, perDay: 1_000n } },
  ]);
}

describe('O1: the book of a killed signer', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-book-'));
    path = join(folder, 'book.sqlite');
    const running = join(folder, 'running.sqlite');
    const book = new Book(running);
    for (let nonce = 1n; nonce <= SIGNATURES; nonce += 1n) sign(book, nonce);
    // The log is copied too, because a killed signer does not remove it.
    for (const part of PARTS) copyFileSync(running + part, path + part);
    book.close();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Opens the book. Returns `whole`, or the message of the error. */
  function opened(): string {
    try {
      new Book(path).close();
      return 'whole';
    } catch (error) {
      return error instanceof Error ? `${error.name} ${error.message}` : 'unknown';
    }
  }

  it('a killed signer’s database contains all signatures when the database is opened again', () => {
    expect([opened(), opened()]).toEqual(['whole', 'whole']);
  });

  it.each([
    // If the file is truncated, the log may still contain all pages. The book may then be complete.
    ['', /^whole$|CannotStart SIGNER_BOOK_PATH: the book (?:is damaged|lacks)/],
    ['-wal', /CannotStart SIGNER_BOOK_PATH: the book (?:is damaged|lacks)/],
    ['-count', /CannotStart SIGNER_BOOK_PATH: .*book\.sqlite-count is damaged/],
  ] as const)(
    'a truncated file book.sqlite%s of the signer is recovered completely or rejected with an error',
    (part, name) => {
      const kept = PARTS.map((each) => [each, readFileSync(path + each)] as const);
      const { length } = readFileSync(path + part);
      for (let cut = 0; cut < 12; cut += 1) {
        for (const [each, bytes] of kept) writeFileSync(path + each, bytes);
        truncateSync(path + part, Math.floor((length * cut) / 12));
        expect(opened()).toMatch(name);
        expect(opened()).toMatch(name);
      }
    },
  );

  it('the signer refuses to start if its database is missing but the file with the number of signatures exists', () => {
    rmSync(path);
    rmSync(`${path}-wal`);
    expect(opened()).toBe(
      `CannotStart SIGNER_BOOK_PATH: the book lacks its last ${SIGNATURES} signatures, so its budget is wrong. Restore the book, its -wal and its -count of one moment; or remove ${path}-count to continue without these signatures`,
    );
    rmSync(`${path}-count`);
    expect(opened()).toBe('whole');
  });

  it('the signer’s database is treated as new only if neither signatures nor the file with the number of signatures exist', () => {
    const isNew = (): boolean => {
      const book = new Book(path);
      book.close();
      return book.isNew;
    };
    expect(isNew()).toBe(false);
    rmSync(`${path}-count`);
    expect(isNew()).toBe(false);
    for (const part of PARTS) rmSync(path + part, { force: true });
    expect([isNew(), isNew()]).toEqual([true, false]);
  });

  it('a signer’s database of an earlier release gets the missing file with the number of signatures', () => {
    rmSync(`${path}-count`);
    writeFileSync(`${path}-count.new`, 'left by a kill');
    expect(opened()).toBe('whole');
    expect(existsSync(`${path}-count.new`)).toBe(false);
    expect(readFileSync(`${path}-count`, 'utf8')).toMatch(new RegExp(` 0+${SIGNATURES}\n$`));
  });
});
