import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver, took } from '@sotto/submission-core/testing';
import { openPostgresStore } from '../../src/index.js';
import { frozenMigrations } from '../../src/migrations/frozen-migrations.js';
import { aTransfer } from '../a-transfer.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import { FORBIDDEN_VALUES, writeTaskRows } from '../support/forbidden-values.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';

describeWithPostgres('schema on PostgreSQL', () => {
  describe('opening of a store', () => {
    let database: TemporaryDatabase;
    beforeEach(async () => {
      database = await temporaryDatabase();
    });
    afterEach(() => database.remove());
    const tables = () =>
      database.query(
        `select tablename from pg_tables where schemaname = 'public' order by tablename`,
      );

    it('only the first opening of a PostgreSQL store creates the schema', async () => {
      await (await openPostgresStore({ url: database.url, poolSize: POOL_SIZE })).close();
      const before = [
        await tables(),
        await database.query('select * from kysely_migration order by name'),
      ];
      await (await openPostgresStore({ url: database.url, poolSize: POOL_SIZE })).close();
      expect([
        await tables(),
        await database.query('select * from kysely_migration order by name'),
      ]).toEqual(before);
      expect(before.every((rows) => rows.length > 1)).toBe(true);
    });

    it('rejects a PostgreSQL schema of a newer release without changing this schema', async () => {
      const { ledger, close } = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
      await new LedgerDriver(ledger).request('a');
      await close();
      await database.query(
        `insert into kysely_migration values ('9999_from_the_future', '2099-01-01T00:00:00.000Z')`,
      );
      await expect(
        openPostgresStore({ url: database.url, poolSize: POOL_SIZE }),
      ).rejects.toMatchObject({
        code: 'SCHEMA_IS_NEWER',
        details: { unknownMigrations: '9999_from_the_future' },
      });
      expect(await database.query('select id from attempts')).toEqual([{ id: 'id-of-a' }]);
    });

    it('rejects a PostgreSQL schema whose applied migrations differ from the migrations of this release', async () => {
      await (await openPostgresStore({ url: database.url, poolSize: POOL_SIZE })).close();
      const hashes = () =>
        database.query('select name, sha256 from migration_hashes order by name');
      expect(await hashes()).toEqual(
        frozenMigrations('postgres').map(({ name, sha256 }) => ({ name, sha256 })),
      );
      await database.query(
        `update migration_hashes set sha256 = 'of another text' where name like '0005%'`,
      );
      const before = await hashes();
      await expect(
        openPostgresStore({ url: database.url, poolSize: POOL_SIZE }),
      ).rejects.toMatchObject({
        code: 'LEDGER_SCHEMA_DIFFERS',
        details: { differingMigrations: '0005_settlements' },
      });
      expect(await hashes()).toEqual(before);
    });

    it('rolls back a failed migration on PostgreSQL completely', async () => {
      await database.query('create table transactions (something text)');
      await expect(
        openPostgresStore({ url: database.url, poolSize: POOL_SIZE }),
      ).rejects.toBeInstanceOf(LedgerUnavailable);
      expect((await tables()).map(({ tablename }) => tablename)).not.toContain('lanes');
      await database.query('drop table transactions');
      await (await openPostgresStore({ url: database.url, poolSize: POOL_SIZE })).close();
    });
  });

  describe('forbidden values', () => {
    let database: TemporaryDatabase;
    beforeAll(async () => {
      database = await temporaryDatabase();
      const store = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
      const { ledger, quotes, transfers, close } = store;
      const driver = new LedgerDriver(ledger);
      await driver.lease();
      await driver.broadcast('a', 0n);
      await quotes.add(aFeeQuote('q'));
      await transfers.update('t', 1_000, () => aTransfer);
      await writeTaskRows(store);
      await close();
    });
    afterAll(() => database.remove());

    it.each(FORBIDDEN_VALUES)('the database rejects an update of %s: %s', async (table, change) => {
      const before = await database.query(`select * from ${table}`);
      await expect(database.query(`update ${table} set ${change}`)).rejects.toThrow(
        /violates|invalid input syntax/,
      );
      expect(await database.query(`select * from ${table}`)).toEqual(before);
    });
  });

  describe('redaction', () => {
    it('two instances that redact concurrently do not process a row twice', async () => {
      const database = await temporaryDatabase();
      const [one, other] = [
        await openPostgresStore({ url: database.url, poolSize: POOL_SIZE }),
        await openPostgresStore({ url: database.url, poolSize: POOL_SIZE }),
      ];
      const driver = new LedgerDriver(one.ledger);
      await driver.lease();
      const count = 80;
      for (let nonce = 0; nonce < count; nonce += 1) {
        const { transaction } = await driver.broadcast(`n${nonce}`, BigInt(nonce));
        await driver.settle(BigInt(nonce), took(transaction.hash));
        await driver.finalize(BigInt(nonce));
      }
      const wiped = await Promise.all([one.ledger.redact(9_000), other.ledger.redact(9_000)]);
      expect(wiped.reduce((sum, attempts) => sum + attempts, 0)).toBe(count);
      expect(
        await database.query('select from calldata union all select from signed_bytes'),
      ).toEqual([]);
      // A second redaction finds no due rows, and the tables contain no bytes any more.
      expect(await one.ledger.redact(9_000)).toBe(0);
      const sizes = `select sum(pg_relation_size(oid))::int as bytes from pg_class where relname in ('calldata', 'signed_bytes')`;
      expect(await database.query(sizes)).toEqual([{ bytes: 0 }]);
      await one.close();
      await other.close();
      await database.remove();
    });
  });
});
