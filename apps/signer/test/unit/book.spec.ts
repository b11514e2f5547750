import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { Book } from '../../src/book/book.js';

const HOUR_MS = 3_600_000;
const LIMITS = { perHour: 10n, perDay: 25n };
const ACCOUNT = toFelt('0xa1');

describe('the book', () => {
  let folder: string;
  let book: Book;
  let nowMs: number;
  const open = (): Book => (book = new Book(join(folder, 'book.sqlite'), () => nowMs));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-book-'));
    nowMs = 1_760_000_000_000;
    open();
  });
  afterEach(() => {
    book.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const spend = (nonce: bigint, amount: bigint, what = 'gas'): string => {
    try {
      book.record(
        {
          kind: 'invoke',
          account: ACCOUNT,
          nonce,
          hash: toFelt(1n),
          what: [],
          boundFri: amount,
        },
        [{ what, amount, limits: LIMITS }],
      );
      return 'recorded';
    } catch (error) {
      return error instanceof Error ? error.message : 'unknown';
    }
  };
  const restart = (): void => {
    book.close();
    open();
  };
  const SPENT = 'SIGNER_REFUSED_BUDGET';

  it('gives an hour’s budget back after the hour, and a day’s after the day', () => {
    expect([spend(1n, 10n), spend(2n, 1n)]).toEqual(['recorded', SPENT]);
    nowMs += HOUR_MS - 1;
    expect(spend(2n, 1n)).toBe(SPENT);
    nowMs += 1;
    expect([spend(2n, 10n), spend(3n, 1n)]).toEqual(['recorded', SPENT]);
    nowMs += HOUR_MS;
    expect([spend(3n, 6n), spend(3n, 5n), spend(4n, 1n)]).toEqual([SPENT, 'recorded', SPENT]);
    nowMs += 22 * HOUR_MS;
    expect([spend(4n, 10n), spend(5n, 1n)]).toEqual(['recorded', SPENT]);
  });

  it('gives nothing back to a clock that is set back, nor to a restart after it', () => {
    expect(spend(1n, 10n)).toBe('recorded');
    nowMs -= 48 * HOUR_MS;
    expect(spend(2n, 1n)).toBe(SPENT);
    restart();
    expect(spend(2n, 1n)).toBe(SPENT);
    nowMs += 48 * HOUR_MS + HOUR_MS - 1;
    expect(spend(2n, 1n)).toBe(SPENT);
    nowMs += 1;
    expect(spend(2n, 1n)).toBe('recorded');
  });

  it('remembers over restarts what a nonce was charged', () => {
    expect(spend(1n, 8n)).toBe('recorded');
    restart();
    expect([spend(1n, 8n), spend(1n, 10n), spend(1n, 11n)]).toEqual([
      'recorded',
      'recorded',
      SPENT,
    ]);
    restart();
    expect([spend(1n, 10n), spend(2n, 1n)]).toEqual(['recorded', SPENT]);
  });

  it('counts a nonce in full again once its charges are a day old', () => {
    expect(spend(1n, 10n)).toBe('recorded');
    nowMs += 24 * HOUR_MS;
    expect([spend(1n, 10n), spend(2n, 1n)]).toEqual(['recorded', SPENT]);
  });

  it('counts each thing by itself', () => {
    expect([spend(1n, 10n), spend(1n, 10n, 'strk'), spend(2n, 1n, 'strk')]).toEqual([
      'recorded',
      'recorded',
      SPENT,
    ]);
  });

  it('counts amounts that no number of a database holds', () => {
    const big = 2n ** 200n;
    const record = (nonce: bigint): void =>
      book.record(
        { kind: 'invoke', account: ACCOUNT, nonce, hash: toFelt(1n), what: [], boundFri: big },
        [{ what: 'gas', amount: big, limits: { perHour: null, perDay: 2n * big } }],
      );
    record(1n);
    restart();
    record(2n);
    expect(() => record(3n)).toThrow(SPENT);
  });

  it('counts the same after as many entries as a window leaves behind', () => {
    const limits = { perHour: null, perDay: 10n };
    for (let nonce = 1n; nonce <= 60n; nonce += 1n) {
      book.record(
        { kind: 'invoke', account: ACCOUNT, nonce, hash: toFelt(1n), what: [], boundFri: 1n },
        [{ what: 'few', amount: 1n, limits }],
      );
      nowMs += 3 * HOUR_MS;
    }
    expect(spend(100n, 10n)).toBe('recorded');
  });

  it('is its owner’s file, and one signer’s at a time', () => {
    expect(statSync(join(folder, 'book.sqlite')).mode & 0o777).toBe(0o600);
    expect(() => new Book(join(folder, 'book.sqlite'))).toThrow('locked');
  });

  it('refuses to sign what it can’t write down', () => {
    book.close();
    expect(spend(1n, 1n)).not.toBe('recorded');
    open();
  });
});
