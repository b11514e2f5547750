import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { backupSqlite, openSqliteStore } from '../../src/index.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

function pageBytes(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare('pragma page_size').get()?.['page_size'];
  } finally {
    database.close();
  }
}

describe('SQLite file', () => {
  let file: TemporaryLedgerFile;
  beforeEach(() => {
    file = temporaryLedgerFile();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    file.remove();
  });

  it('a new SQLite file and its copies have pages of 2 KiB', async () => {
    const store = await openSqliteStore({ path: file.path });
    await new LedgerDriver(store.ledger).accepted('a');
    backupSqlite(file.path, `${file.path}.copy`);
    await store.close();
    expect([pageBytes(file.path), pageBytes(`${file.path}.copy`)]).toEqual([2_048, 2_048]);
  });

  it('a SQLite file of an earlier release retains its page size', async () => {
    const before = new DatabaseSync(file.path);
    before.exec('pragma page_size = 4096; pragma journal_mode = wal; create table old (a)');
    before.close();
    const store = await openSqliteStore({ path: file.path });
    await new LedgerDriver(store.ledger).accepted('a');
    await store.close();
    expect(pageBytes(file.path)).toBe(4_096);
  });
});

describe('check for commits of other processes', () => {
  it('checks for other processes’ commits only after a call that wrote nothing', async () => {
    const file = temporaryLedgerFile();
    const store = await openSqliteStore({ path: file.path });
    const driver = new LedgerDriver(store.ledger);
    const requested = jest.spyOn(StatementSync.prototype, 'get');
    await driver.request('a');
    expect(requested).toHaveBeenCalledTimes(0);
    await store.ledger.attemptById('id-of-a');
    expect(requested).toHaveBeenCalledTimes(1);
    requested.mockRestore();
    await store.close();
    file.remove();
  });
});
