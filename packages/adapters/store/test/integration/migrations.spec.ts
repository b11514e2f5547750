import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { LedgerReadOnly, openSqliteStore } from '../../src/index.js';
import { frozenMigrations } from '../../src/migrations/frozen-migrations.js';
import { aTransfer } from '../a-transfer.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import { goldenOf } from '../support/golden.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const MIGRATIONS = [
  '0001_submission_machine',
  '0002_quotes',
  '0003_transfers',
  '0004_money',
  '0005_settlements',
  '0006_transfer_output',
  '0007_gas',
  '0008_swap_pins',
  '0009_quote_uses',
  '0010_swap_verdicts',
  '0011_migration_hashes',
  '0012_purposes',
  '0013_keeper',
  '0014_purchases',
  '0015_leverage',
  '0016_task_reasons',
  '0017_claim_nodes',
  '0018_operators',
  '0019_webhooks',
  '0020_canary',
  '0021_archive',
  '0022_undelivered_webhooks',
  '0023_envelopes',
  '0024_swap_bounds',
  '0025_possible_copies',
  '0026_instances',
  '0027_transfer_terms',
  '0028_reward_rates',
  '0029_recipient_gas',
  '0030_fair_lanes',
  '0031_private_actions',
];

describe('opening of a ledger file', () => {
  let file: TemporaryLedgerFile;
  beforeEach(() => {
    file = temporaryLedgerFile();
  });
  afterEach(() => {
    file.remove();
  });

  it('only the first opening of a ledger file creates the schema', async () => {
    await (await openSqliteStore({ path: file.path })).close();
    const before = rows('select name, sql from sqlite_schema order by name');
    const applied = rows('select * from kysely_migration');
    expect(applied).toMatchObject(MIGRATIONS.map((name) => ({ name })));
    await (await openSqliteStore({ path: file.path })).close();
    expect(rows('select name, sql from sqlite_schema order by name')).toEqual(before);
    expect(rows('select * from kysely_migration')).toEqual(applied);
  });

  it('rejects a ledger file of a newer release without changing the file', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    await new LedgerDriver(ledger).request('a');
    await close();
    execute(
      `insert into kysely_migration values ('9999_from_the_future', '2099-01-01T00:00:00.000Z')`,
    );
    const opening = openSqliteStore({ path: file.path });
    await expect(opening).rejects.toMatchObject({
      code: 'SCHEMA_IS_NEWER',
      details: { unknownMigrations: '9999_from_the_future' },
    });
    expect(rows('select id from attempts')).toEqual([{ id: 'id-of-a' }]);
  });

  it('rejects a ledger file whose applied migrations differ from the migrations of this release', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    await new LedgerDriver(ledger).request('a');
    await close();
    const before = rows('select * from migration_hashes order by name');
    execute(`update migration_hashes set sha256 = 'of another text' where name like '0005%'`);
    await expect(openSqliteStore({ path: file.path })).rejects.toMatchObject({
      code: 'LEDGER_SCHEMA_DIFFERS',
      details: { differingMigrations: '0005_settlements' },
    });
    expect(rows('select id from attempts')).toEqual([{ id: 'id-of-a' }]);
    execute(`delete from migration_hashes where name like '0005%'`);
    await (await openSqliteStore({ path: file.path })).close();
    expect(rows('select * from migration_hashes order by name')).toEqual(before);
  });

  it('rejects a ledger file of an unreleased build that lacks migrations, without changing the file', async () => {
    goldenOf('7b81a73').copyTo(file.path);
    for (const { name, statements, sha256 } of frozenMigrations('sqlite').filter(
      (each) => each.name >= '0019',
    )) {
      for (const statement of statements) execute(statement);
      execute(`insert into kysely_migration values ('${name}', '2026-11-24T00:00:00.000Z')`);
      execute(`insert into migration_hashes (name, sha256) values ('${name}', '${sha256}')`);
    }
    const schema = 'select name, sql from sqlite_schema order by name';
    const before = rows(schema);
    await expect(openSqliteStore({ path: file.path })).rejects.toMatchObject({
      code: 'LEDGER_SCHEMA_DIFFERS',
      details: { missingMigrations: '0017_claim_nodes, 0018_operators' },
    });
    expect(rows(schema)).toEqual(before);
    expect(rows('select name from kysely_migration')).toHaveLength(MIGRATIONS.length - 2);
  });

  it.each(['abe371d', 'aeb97e9', '7b81a73', 'a78d10d'])(
    'records the hashes of all migrations that are applied to the ledger file of %s',
    async (release) => {
      goldenOf(release).copyTo(file.path);
      await (await openSqliteStore({ path: file.path })).close();
      expect(rows('select name, sha256 from migration_hashes order by name')).toEqual(
        frozenMigrations('sqlite').map(({ name, sha256 }) => ({ name, sha256 })),
      );
    },
  );

  it('upgrades the ledger file of an earlier release and preserves its content', async () => {
    goldenOf('abe371d').copyTo(file.path);
    const { ledger, quotes, transfers, settlements, close } = await openSqliteStore({
      path: file.path,
    });
    expect(await ledger.attemptById('golden-accepted-1')).toMatchObject({ state: 'accepted' });
    await quotes.add(aFeeQuote('q'));
    expect(await quotes.find('q')).toEqual(aFeeQuote('q'));
    await transfers.update('t', 1_000, () => aTransfer);
    expect(await transfers.get('t')).toEqual(aTransfer);
    expect((await settlements.live()).length).toBeGreaterThan(0);
    await close();
    expect(rows('select name from kysely_migration order by name')).toEqual(
      MIGRATIONS.map((name) => ({ name })),
    );
  });

  it('does not change the ledger file of an earlier release if its rows contradict each other', async () => {
    goldenOf('abe371d').copyTo(file.path);
    execute(`pragma foreign_keys = off; update nonces set owner_key = 'missing' where nonce = 18`);
    const before = rows('select name, sql from sqlite_schema order by name');
    const opening = openSqliteStore({ path: file.path });
    await expect(opening).rejects.toMatchObject({
      message: 'the ledger schema could not be brought up to date',
    });
    expect(rows('select name, sql from sqlite_schema order by name')).toEqual(before);
    execute(`pragma foreign_keys = off; update nonces set owner_key = (select key from attempts where nonces.lane = attempts.lane
      and attempts.nonce = 18) where nonce = 18`);
    await (await openSqliteStore({ path: file.path })).close();
  });

  it('rolls back a failed migration of a ledger file completely', async () => {
    execute('create table transactions (something text)');
    await expect(openSqliteStore({ path: file.path })).rejects.toBeInstanceOf(LedgerUnavailable);
    expect(
      rows(`select name from sqlite_schema where name in ('lanes', 'attempts', 'nonces')`),
    ).toEqual([]);
    execute('drop table transactions');
    await (await openSqliteStore({ path: file.path })).close();
  });

  it('rejects a file that is not a ledger', async () => {
    writeFileSync(
      file.path,
      'certainly no database, and longer than the header of one: '.repeat(20),
    );
    await expect(openSqliteStore({ path: file.path })).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(openSqliteStore({ path: file.directory })).rejects.toBeInstanceOf(LedgerReadOnly);
    await expect(
      openSqliteStore({ path: join(file.directory, 'no', 'such', 'directory') }),
    ).rejects.toBeInstanceOf(LedgerUnavailable);
  });

  it('creates ledger files that only their owner can read', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    await new LedgerDriver(ledger).request('a');
    for (const suffix of ['', '-wal', '-shm', '-heartbeat'])
      expect(statSync(`${file.path}${suffix}`).mode & 0o777).toBe(0o600);
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
