import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { DatabaseSync } from 'node:sqlite';
import { Book, type BookLimits } from '../../src/book/book.js';

const HOUR_MS = 3_600_000;
const LIMITS = { perHour: 10n, perDay: 25n };
const ACCOUNT = toFelt('0xa1');

describe('the book', () => {
  let folder: string;
  let book: Book;
  let nowMs: number;
  const path = (): string => join(folder, 'book.sqlite');
  const open = (limits?: BookLimits): Book => (book = new Book(path(), () => nowMs, limits));
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
  const message = (text: bigint): void =>
    book.record({
      kind: 'message',
      account: ACCOUNT,
      nonce: null,
      hash: toFelt(text),
      what: ['FeeQuote'],
      boundFri: 0n,
    });
  const restart = (): void => {
    book.close();
    open();
  };
  const SPENT = 'SIGNER_REFUSED_BUDGET';

  it('the signer’s hourly budget is available again after an hour, and its daily budget after a day', () => {
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

  it('a clock that is set back restores no budget of the signer, even after a restart', () => {
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

  it('a repeated signature of a nonce uses the signer’s budget only if the amount is higher than before', () => {
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

  it('the signer charges the full amount of a nonce again when the first charge is a day old', () => {
    expect(spend(1n, 10n)).toBe('recorded');
    nowMs += 24 * HOUR_MS;
    expect([spend(1n, 10n), spend(2n, 1n)]).toEqual(['recorded', SPENT]);
  });

  it('the signer counts the budgets of gas and of each ERC-20 token separately', () => {
    expect([spend(1n, 10n), spend(1n, 10n, 'strk'), spend(2n, 1n, 'strk')]).toEqual([
      'recorded',
      'recorded',
      SPENT,
    ]);
  });

  it('the signer counts amounts exactly even if they exceed the database’s integers', () => {
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

  it('the signer’s budgets are still correct after old charges were removed', () => {
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

  it('only one signer at a time can use the signer’s database, and only the owner can read it', () => {
    expect(statSync(join(folder, 'book.sqlite')).mode & 0o777).toBe(0o600);
    expect(() => new Book(join(folder, 'book.sqlite'))).toThrow('another signer has the book');
  });

  it('the signer rejects a request if it can’t store the signature in its database', () => {
    book.close();
    expect(spend(1n, 1n)).not.toBe('recorded');
    expect(spend(1n, 0n)).toBe('SIGNER_BOOK_UNAVAILABLE');
    open();
  });

  describe('a flooded book', () => {
    const FEW: BookLimits = { perDay: 3_000, charged: 200, free: 100 };
    /** Number of lines by which a limit may be exceeded before the oldest lines are deleted. */
    const SLACK = 1_000;
    const PLENTY = { perHour: null, perDay: 10n ** 9n };
    beforeEach(() => {
      book.close();
      open(FEW);
    });

    const charge = (nonce: bigint, hash = nonce, amount = 1n): void =>
      book.record(
        { kind: 'invoke', account: ACCOUNT, nonce, hash: toFelt(hash), what: [], boundFri: amount },
        [{ what: 'gas', amount, limits: PLENTY }],
      );
    const read = (sql: string): unknown => {
      book.close();
      const database = new DatabaseSync(path());
      const rows = database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row));
      database.close();
      open(FEW);
      return rows;
    };
    const count = (table: string): number => Number(String(read(`select count(*) from ${table}`)));

    it('the signer’s database stores all signatures that were charged to a budget', () => {
      for (let nonce = 1n; nonce <= 300n; nonce += 1n) charge(nonce);
      for (let text = 1_000n; text < 4_000n; text += 1n) message(text);
      expect(count('signatures')).toBeLessThanOrEqual(300 + FEW.free + SLACK);
      expect(read(`select count(*) from charges where what = 'gas'`)).toEqual([[300]]);
      expect(read('select hash from signatures order by id desc limit 1')).toEqual([
        [toFelt(3_999n)],
      ]);
      restart();
    });

    it('a repeated signature without a new charge is not stored again in the signer’s database', () => {
      charge(1n);
      message(2n);
      for (let time = 0; time < 50; time += 1) {
        charge(1n);
        message(2n);
      }
      expect(count('signatures')).toBe(2);
      nowMs += 24 * HOUR_MS;
      charge(1n);
      expect(count('signatures')).toBe(3);
    });

    it('the number of charged signatures per day is at most the signer’s configured maximum, at any gas price', () => {
      for (let turn = 1n; turn <= 3_000n; turn += 1n) charge(1n, turn, turn);
      expect(() => charge(1n, 3_001n, 3_001n)).toThrow(SPENT);
      charge(1n, 3_000n, 3_000n);
      message(9n);
      book.close();
      open(FEW);
      expect(() => charge(2n, 3_001n)).toThrow(SPENT);
      nowMs += 24 * HOUR_MS;
      charge(2n, 3_001n);
    });

    it('the signer deletes its oldest charges when they are a day old, but not earlier', () => {
      for (let nonce = 1n; nonce <= 2_000n; nonce += 1n) charge(nonce);
      expect(count('signatures')).toBe(2_000);
      nowMs += 24 * HOUR_MS;
      charge(2_001n);
      expect(count('signatures')).toBe(FEW.charged);
      expect(read(`select count(*) from charges where what = 'gas'`)).toEqual([[FEW.charged]]);
    });

    it('rows that are counted in a budget cannot be deleted from the signer’s database or changed', () => {
      charge(1n);
      message(2n);
      book.close();
      const database = new DatabaseSync(path());
      for (const sql of [
        'delete from charges',
        'delete from signatures where nonce = 1',
        'update charges set added = 0',
        'update signatures set hash = 0',
      ])
        expect(() => database.exec(sql)).toThrow('append-only');
      database.close();
      open(FEW);
    });
  });
});
