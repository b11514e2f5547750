import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@sotto/kernel';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { Kysely, type CompiledQuery } from 'kysely';
import { migrate } from '../../src/migrations/migrate.js';
import { migrationOptions } from '../../src/store.js';
import { NodeSqliteDatabase } from '../../src/sqlite/node-sqlite.js';
import { NO_LOG, NodeSqliteDialect } from '../../src/sqlite/sqlite-driver.js';
import type { StoreSchema } from '../../src/schema.js';
import { SqlAuditStore } from '../../src/ledger/sql-audit-store.js';
import { SqlLedger } from '../../src/ledger/sql-ledger.js';
import { openSqliteDatabase, sqliteDialect } from '../../src/sqlite/sqlite-database.js';
import { StoreTime } from '../../src/store-time.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

const { lane } = LedgerDriver;

describe('audit book on SQLite', () => {
  const file = temporaryLedgerFile();
  const database = openSqliteDatabase(file.path, 5_000);
  let queries: CompiledQuery[] = [];
  const kyselyDialect = new NodeSqliteDialect({
    database: new NodeSqliteDatabase(database),
    log: NO_LOG,
  });
  const db = new Kysely<StoreSchema>({
    dialect: kyselyDialect,
    log: ({ query }) => void queries.push(query),
  });
  const store = new SqlAuditStore(db);
  let driver: LedgerDriver;

  beforeAll(async () => {
    const dialect = sqliteDialect(database, new StoreTime(systemClock), {
      emptied: async (empty: () => void) => empty(),
    });
    await migrate(db, dialect, migrationOptions({}, dialect.name));
    driver = new LedgerDriver(new SqlLedger(db, dialect));
    await driver.lease();
    await driver.succeed(await driver.broadcast('a', 0n));
  });

  afterAll(async () => {
    await db.destroy();
    file.remove();
  });

  it('the audit finds nonces, transactions and ended attempts by indexes, without a scan of a table', async () => {
    const plans = await plansOf(async () => {
      await store.firstNonce(lane);
      await store.nonces(lane, 0n, 10n, 10);
      await store.submissions(['chain|pool|a', 'chain|pool|b']);
      await store.ended({ endedAtMs: 0, id: '' }, 10, 10);
    });
    expect(
      plans.filter((step) => /^SEARCH (?:nonces|transactions|attempts) /.test(step)),
    ).toHaveLength(7);
    expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
    expect(plans).toContainEqual(
      expect.stringContaining('INDEX attempts_by_end (ended_at_ms>? AND ended_at_ms<?)'),
    );
  });

  async function plansOf(call: () => Promise<unknown>): Promise<string[]> {
    queries = [];
    await call();
    return queries
      .filter(({ sql }) => sql.startsWith('select'))
      .flatMap(({ sql, parameters }) =>
        database
          .prepare(`explain query plan ${sql}`)
          .all(...parameters.map((value) => (typeof value === 'bigint' ? value : String(value)))),
      )
      .map((row) => String(row['detail']));
  }
});
