import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import {
  inspectPostgresStore,
  inspectSqliteStore,
  openPostgresStore,
  openSqliteStore,
} from '../../src/index.js';
import { frozenMigrations } from '../../src/migrations/frozen-migrations.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

const CHAIN = { chainId: toFelt('0x534e'), genesisHash: toFelt('0x6e') };

describe('inspection of a SQLite store', () => {
  it('the inspection of a SQLite store reports the store’s chain, and does not change the file', async () => {
    const { path } = temporaryLedgerFile();
    const store = await openSqliteStore({ path });
    await store.ledger.bindChain(CHAIN);
    await store.close();
    const before = statSync(path);
    expect(await inspectSqliteStore(path)).toEqual({
      pendingMigrations: [],
      skippedMigrations: [],
      unknownMigrations: [],
      differingMigrations: [],
      ledger: { chain: CHAIN, lanes: [] },
      nowMs: null,
    });
    expect(statSync(path)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
  });

  it('the inspection can read a SQLite store while a service uses the store', async () => {
    const { path } = temporaryLedgerFile();
    const store = await openSqliteStore({ path });
    await store.ledger.bindChain(CHAIN);
    expect((await inspectSqliteStore(path)).ledger).toEqual({ chain: CHAIN, lanes: [] });
    await store.close();
  });

  it('the inspection of an empty SQLite file reports all migrations as pending, and no ledger', async () => {
    const { path } = temporaryLedgerFile();
    new DatabaseSync(path).exec('vacuum');
    const { pendingMigrations, ledger } = await inspectSqliteStore(path);
    expect(pendingMigrations[0]).toBe('0001_submission_machine');
    expect(ledger).toBeNull();
  });

  it('the inspection of a missing path fails without creating a file', async () => {
    await expect(inspectSqliteStore(temporaryLedgerFile().path)).rejects.toThrow(LedgerUnavailable);
  });
});

describeWithPostgres('inspection of a PostgreSQL store', () => {
  const names = frozenMigrations('postgres').map(({ name }) => name);
  let database: TemporaryDatabase;
  beforeEach(async () => {
    database = await temporaryDatabase();
  });
  afterEach(() => database.remove());

  const open = () => openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
  const setPath = (path: string) =>
    database.query(
      `do $$ begin execute format('alter database %I set search_path = %s', current_database(), '${path}'); end $$`,
    );
  /**
   * Creates a store of this release, runs the given SQL statements on it, and returns its
   * inspection.
   */
  const changed = async (...statements: readonly string[]) => {
    const store = await open();
    await store.ledger.bindChain(CHAIN);
    await store.close();
    for (const statement of statements) await database.query(statement);
    return inspectPostgresStore(database.url);
  };
  const fine = {
    pendingMigrations: [],
    skippedMigrations: [],
    unknownMigrations: [],
    differingMigrations: [],
    ledger: { chain: CHAIN, lanes: [] },
  };

  it('the inspection of a PostgreSQL store reports its chain and the time of the database’s clock', async () => {
    const inspection = await changed();
    expect(inspection).toEqual({ ...fine, nowMs: expect.any(Number) });
    expect(inspection.nowMs).toBeGreaterThan(0);
  });

  it('the inspection of an empty database reports all migrations as pending, and no ledger', async () => {
    expect(await inspectPostgresStore(database.url)).toMatchObject({
      pendingMigrations: names,
      skippedMigrations: [],
      ledger: null,
    });
  });

  it('the inspection reports the pending migrations of a store from an older release', async () => {
    const inspection = await changed(
      `delete from kysely_migration where name >= '0011'`,
      'drop table migration_hashes',
    );
    expect(inspection).toMatchObject({
      ...fine,
      pendingMigrations: names.filter((name) => name >= '0011'),
      ledger: null,
    });
  });

  it.each([
    { what: 'a migration in the middle', named: '0011_migration_hashes' },
    { what: 'the first migration', named: '0001_submission_machine' },
  ])(
    'the inspection reports $what as missing, and a start rejects the store',
    async ({ named }) => {
      const inspection = await changed(`delete from kysely_migration where name = '${named}'`);
      expect(inspection).toMatchObject({ skippedMigrations: [named], ledger: null });
      await expect(open()).rejects.toMatchObject({ code: 'LEDGER_SCHEMA_DIFFERS' });
    },
  );

  it('the inspection reports a store that has tables but no migration records', async () => {
    const inspection = await changed('delete from kysely_migration');
    expect(inspection).toMatchObject({ skippedMigrations: [names[0]], ledger: null });
    await expect(open()).rejects.toThrow(LedgerUnavailable);
  });

  it('the inspection reports a store that has migration records but no tables', async () => {
    const inspection = await changed('drop table lanes cascade');
    expect(inspection).toMatchObject({ skippedMigrations: [names[0]], ledger: null });
  });

  it('the inspection reports migrations of a newer release and migrations whose text has changed', async () => {
    const inspection = await changed(
      `insert into kysely_migration values ('9999_from_the_future', '2099-01-01T00:00:00.000Z')`,
      `update migration_hashes set sha256 = 'other' where name = '${names[1]}'`,
    );
    expect(inspection).toMatchObject({
      unknownMigrations: ['9999_from_the_future'],
      differingMigrations: [names[1]],
      ledger: null,
    });
  });

  it('the inspection finds the ledger even if another database schema comes first in the search path', async () => {
    await database.query('alter schema public rename to "The Ledger’s"');
    await setPath('"The Ledger’s"');
    expect(await changed('create schema first')).toMatchObject(fine);
    await setPath('first, "The Ledger’s"');
    expect(await inspectPostgresStore(database.url)).toMatchObject(fine);
    await (await open()).close();
    expect(
      await database.query(`select distinct schemaname from pg_tables where tablename = 'lanes'`),
    ).toEqual([{ schemaname: 'The Ledger’s' }]);
  });

  it('the inspection ignores tables of equal names in another program’s database schema', async () => {
    await database.query('create schema other');
    await database.query('create table other.kysely_migration (name text)');
    await database.query('create table other.lanes (name text)');
    expect(await inspectPostgresStore(database.url)).toMatchObject({
      pendingMigrations: names,
      skippedMigrations: [],
      ledger: null,
    });
    await (await open()).close();
  });
});
