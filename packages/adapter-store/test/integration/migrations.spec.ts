import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { aTransfer } from '../a-transfer.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

describe('opening a ledger file', () => {
  let file: TemporaryLedgerFile;
  beforeEach(() => {
    file = temporaryLedgerFile();
  });
  afterEach(() => {
    file.remove();
  });

  it('sets the schema up once', async () => {
    await (await openSqliteStore({ path: file.path })).close();
    const before = rows('select name, sql from sqlite_schema order by name');
    const applied = rows('select * from kysely_migration');
    expect(applied).toMatchObject(['0001_submission_machine', '0002_quotes', '0003_transfers', '0004_money'].map((name) => ({ name })));
    await (await openSqliteStore({ path: file.path })).close();
    expect(rows('select name, sql from sqlite_schema order by name')).toEqual(before);
    expect(rows('select * from kysely_migration')).toEqual(applied);
  });

  it('refuses a file that a newer release wrote, and leaves it as it is', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    await new LedgerDriver(ledger).request('a');
    await close();
    execute(`insert into kysely_migration values ('9999_from_the_future', '2099-01-01T00:00:00.000Z')`);
    const opening = openSqliteStore({ path: file.path });
    await expect(opening).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(opening).rejects.toMatchObject({
      message: 'the ledger was written by a newer release: its schema is unknown here',
      details: { unknownMigrations: '9999_from_the_future' },
    });
    expect(rows('select id from attempts')).toEqual([{ id: 'id-of-a' }]);
  });

  it('brings the file of a former release up to date and keeps what that wrote', async () => {
    const former = await openSqliteStore({ path: file.path });
    await new LedgerDriver(former.ledger).request('a');
    await former.close();
    execute(`drop table pool_controls; drop table claims; drop index attempts_by_end`);
    execute(`drop table quotes; drop table transfers; delete from kysely_migration where name > '0001_submission_machine'`);
    const { ledger, quotes, transfers, money, close } = await openSqliteStore({ path: file.path });
    expect(await ledger.attemptById('id-of-a')).toMatchObject({ state: 'accepted' });
    await quotes.add(aFeeQuote('q'));
    expect(await quotes.find('q')).toEqual(aFeeQuote('q'));
    await transfers.update('t', 1_000, () => aTransfer);
    expect(await transfers.recall('t')).toEqual(aTransfer);
    expect(await money.live()).toMatchObject([{ key: 'chain|pool|a' }]);
    await close();
  });

  it('leaves nothing of a migration that fails', async () => {
    execute('create table transactions (something text)');
    await expect(openSqliteStore({ path: file.path })).rejects.toBeInstanceOf(LedgerUnavailable);
    expect(rows(`select name from sqlite_schema where name in ('lanes', 'attempts', 'nonces')`)).toEqual([]);
    execute('drop table transactions');
    await (await openSqliteStore({ path: file.path })).close();
  });

  it('refuses what is no ledger', async () => {
    writeFileSync(file.path, 'certainly no database, and longer than the header of one: '.repeat(20));
    await expect(openSqliteStore({ path: file.path })).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(openSqliteStore({ path: file.directory })).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(openSqliteStore({ path: join(file.directory, 'no', 'such', 'directory') })).rejects.toBeInstanceOf(LedgerUnavailable);
  });

  it('makes files that only their owner can read', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    await new LedgerDriver(ledger).request('a');
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(`${file.path}${suffix}`).mode & 0o777).toBe(0o600);
    await close();
  });

  function rows(query: string): unknown[] {
    const database = new DatabaseSync(file.path);
    const found = database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
    database.close();
    return found;
  }

  function execute(statement: string): void {
    const database = new DatabaseSync(file.path);
    database.exec(statement);
    database.close();
  }
});
