import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inFlight, unsettled } from '../../src/ledger/read-ledger.js';

describe('the ledger of a test run', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-ledger-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const ledger = (...statements: readonly string[]): string => {
    const file = join(folder, 'ledger.sqlite');
    const database = new DatabaseSync(file);
    database.exec(`create table attempts (id text, state text);
      create table nonces (lane text, nonce integer, state text);
      create table transactions (lane text, nonce integer, gone text);`);
    for (const statement of statements) database.exec(statement);
    database.close();
    return file;
  };

  it('inFlight and unsettled count the attempts that have not ended', () => {
    const file = ledger(
      `insert into attempts values ('a', 'accepted'), ('b', 'broadcast'), ('c', 'succeeded')`,
    );
    expect([inFlight(file), unsettled(file)]).toEqual([2, 2]);
  });

  it('inFlight and unsettled count an open nonce once if one of its transactions may still be included', () => {
    const file = ledger(
      `insert into nonces values ('0x1', 0, 'open'), ('0x1', 1, 'settled')`,
      `insert into transactions values ('0x1', 0, 'refused'), ('0x1', 0, null), ('0x1', 1, null)`,
    );
    expect([inFlight(file), unsettled(file)]).toEqual([1, 1]);
  });

  it('only unsettled counts a free nonce, whose transactions were all rejected', () => {
    const file = ledger(
      `insert into nonces values ('0x1', 0, 'open')`,
      `insert into transactions values ('0x1', 0, 'refused'), ('0x2', 0, null)`,
    );
    expect([inFlight(file), unsettled(file)]).toEqual([0, 1]);
  });
});
