import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fillLedger } from '../../src/ledger/fill-ledger.js';

/**
 * As much of the ledger's tables as a copy needs; the short form of the benchmark fills a real one.
 */
const SCHEMA = `
  create table lanes (address text primary key, leased_to text, lease_until_ms integer);
  create table attempts (seq integer primary key, key text, attempt integer, id text unique, state text, lane text, nonce integer,
    transaction_hash text, accepted_at_ms integer, ended_at_ms integer, gas_paid_fri text, is_final integer, wiped integer, unique (key, attempt));
  create table nonces (lane text, nonce integer, owner_key text, owner_attempt integer, settled_by text, is_final integer, wiped integer, primary key (lane, nonce));
  create table transactions (seq integer primary key, hash text unique, lane text, nonce integer, attempt_key text, attempt_number integer);
  create table calldata (submission_id text primary key, words blob);
  create table signed_bytes (hash text primary key, bytes blob)`;
const ROW = `
  insert into lanes values ('0x1', 'me', 9);
  insert into attempts values (1, 'chain|pool|0xa00000000000', 1, 'id-100000000000', 'succeeded', '0x1', 0, '0xb00000000000', 90000000, 90000001, '7', 0, 0);
  insert into nonces values ('0x1', 0, 'chain|pool|0xa00000000000', 1, '0xb00000000000', 0, 0);
  insert into transactions values (1, '0xb00000000000', '0x1', 0, 'chain|pool|0xa00000000000', 1)`;

describe('filling a ledger', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-fill-'));
    file = join(folder, 'ledger.sqlite');
    inLedger((database) => database.exec(SCHEMA));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const inLedger = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const rows = (sql: string): unknown => inLedger((database) => database.prepare(sql).all());

  it('adds withdrawals that hang together, each of its own name, and more of them later', () => {
    inLedger((database) => database.exec(ROW));
    fillLedger(file, 100);
    fillLedger(file, 50);
    const whole = `select count(*) as n from attempts join nonces on owner_key = key and owner_attempt = attempt
      and nonces.lane = attempts.lane and nonces.nonce = attempts.nonce join transactions on attempt_key = key and hash = transaction_hash
      join lanes on address = attempts.lane where state = 'succeeded' and gas_paid_fri = '7' and settled_by = hash`;
    expect(rows(whole)).toEqual([{ n: 151 }]);
    expect(
      rows('select count(distinct id) as n, min(ended_at_ms) < 90000001 as older from attempts'),
    ).toEqual([{ n: 151, older: 1 }]);
  });

  it('keeps the private bytes of the newest two hundred thousand, and those only', () => {
    inLedger((database) => database.exec(ROW));
    fillLedger(file, 200_100);
    expect(
      rows(`select (select count(*) from attempts where wiped = 0 and is_final = 0) as attempts,
        (select count(*) from nonces where wiped = 0) as nonces,
        (select count(*) from attempts where wiped = 2 and is_final = 1) as wiped,
        (select count(*) from calldata) as calldata, (select count(*) from signed_bytes) as signed`),
    ).toEqual([
      { attempts: 200_000, nonces: 200_000, wiped: 101, calldata: 200_000, signed: 200_000 },
    ]);
  });

  it('needs one withdrawal to copy', () => {
    expect(() => fillLedger(file, 1)).toThrow('no withdrawal that succeeded');
  });
});
