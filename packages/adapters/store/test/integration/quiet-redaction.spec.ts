import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { Kysely, type CompiledQuery } from 'kysely';
import { migrate } from '../../src/migrations/migrate.js';
import { migrationOptions } from '../../src/store.js';
import { NodeSqliteDatabase } from '../../src/sqlite/node-sqlite.js';
import { NO_LOG, NodeSqliteDialect } from '../../src/sqlite/sqlite-driver.js';
import type { StoreSchema } from '../../src/schema.js';
import { SqlLedger } from '../../src/ledger/sql-ledger.js';
import { openSqliteDatabase, sqliteDialect } from '../../src/sqlite/sqlite-database.js';
import { StoreTime } from '../../src/store-time.js';
import { StagedClock } from '../support/staged-clock.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

const KEPT = 200_000;
const RETENTION_MS = 1_000_000;
const ENDED_AT_MS = 2_000;

/**
 * Tests a store with many ended attempts that are not final. A redaction must not delete their
 * calldata, because a reorg could reopen them.
 */
describe('redaction in a store with two hundred thousand kept submissions', () => {
  const file = temporaryLedgerFile();
  const clock = new StagedClock();
  let queries: CompiledQuery[] = [];
  let database: DatabaseSync;
  let db: Kysely<StoreSchema>;
  let ledger: SqlLedger;

  beforeAll(async () => {
    database = openSqliteDatabase(file.path, 5_000);
    const kyselyDialect = new NodeSqliteDialect({
      database: new NodeSqliteDatabase(database),
      log: NO_LOG,
    });
    db = new Kysely<StoreSchema>({
      dialect: kyselyDialect,
      log: ({ query }) => void queries.push(query),
    });
    const dialect = sqliteDialect(database, new StoreTime(clock), {
      emptied: async (empty: () => void) => empty(),
    });
    await migrate(db, dialect, migrationOptions({}, dialect.name));
    ledger = new SqlLedger(db, dialect);
    const driver = new LedgerDriver(ledger);
    await driver.lease();
    clock.set(ENDED_AT_MS);
    await driver.succeed(await driver.broadcast('first', 0n));
    keepCopies();
    await ledger.redact(RETENTION_MS);
  });
  afterAll(async () => {
    await db.destroy();
    file.remove();
  });

  it('a redaction without due rows writes nothing and reads only indexes', async () => {
    queries = [];
    expect(await ledger.redact(RETENTION_MS)).toBe(0);
    const statements = queries
      .map(({ sql }) => sql)
      .filter((sql) => !/^(?:begin|commit)/.test(sql));
    expect(statements.every((sql) => sql.startsWith('select'))).toBe(true);
    const plans = statements.flatMap((sql) =>
      database.prepare(`explain query plan ${sql}`).all(...parametersOf(sql)),
    );
    const steps = plans
      .map((row) => String(row['detail']))
      .filter((step) => / (?:attempts|nonces|calldata|signed_bytes)/.test(step));
    expect(steps).toEqual([
      'SCAN attempts USING COVERING INDEX attempts_final_and_kept',
      'SEARCH attempts USING INDEX attempts_ended_and_kept (ended_at_ms>?)',
      'SCAN nonces USING COVERING INDEX nonces_final_and_kept',
      'SEARCH nonces USING COVERING INDEX nonces_settled_and_kept (settled_at_ms>?)',
    ]);
    for (const index of ['attempts_final_and_kept', 'nonces_final_and_kept'])
      expect(entriesOf(index)).toBe(0);
  });

  it('a redaction processes each due row only once', async () => {
    for (const change of ['attempts set ended_at_ms = 1000', 'nonces set settled_at_ms = 1000']) {
      database.exec(`update ${change} where nonce between 1 and 200`);
    }
    clock.set(1_001 + RETENTION_MS);
    expect(await ledger.redact(RETENTION_MS)).toBe(200);
    expect(database.prepare('select count(*) as kept from calldata').get()).toEqual({
      kept: KEPT + 1 - 200,
    });
    expect(database.prepare('select count(*) as kept from signed_bytes').get()).toEqual({
      kept: KEPT + 1 - 200,
    });
    queries = [];
    expect(await ledger.redact(RETENTION_MS)).toBe(0);
    expect(queries.filter(({ sql }) => /^(?:update|delete)/.test(sql))).toEqual([]);
  });

  function keepCopies(): void {
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${KEPT})`;
    const copy = (table: string, changed: Readonly<Record<string, string>>): void => {
      const names = database
        .prepare(`select name from pragma_table_info('${table}') where name <> 'seq'`)
        .all();
      const columns = names.map((row) => String(row['name']));
      const values = columns.map((name) => changed[name] ?? `${table}.${name}`);
      database.exec(
        `insert into ${table} (${columns.join()}) ${numbers} select ${values.join()} from n, (select * from ${table} limit 1) as ${table}`,
      );
    };
    database.exec('begin');
    copy('attempts', {
      key: `'key' || i`,
      id: `'id' || i`,
      nonce: 'i',
      transaction_hash: `'0x' || i`,
    });
    copy('nonces', {
      nonce: 'i',
      through: 'i',
      settled_by: `'0x' || i`,
      owner_key: `'key' || i`,
      block_number: 'i',
    });
    copy('transactions', { nonce: 'i', hash: `'0x' || i`, attempt_key: `'key' || i` });
    copy('calldata', { submission_id: `'id' || i` });
    copy('signed_bytes', { hash: `'0x' || i` });
    database.exec('commit');
  }

  function parametersOf(sql: string): (bigint | null)[] {
    const query = queries.find((other) => other.sql === sql);
    return (query?.parameters ?? []).map((value) =>
      typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : null,
    );
  }

  function entriesOf(index: string): unknown {
    const table = index.split('_')[0];
    const where = database.prepare(`select sql from sqlite_schema where name = '${index}'`).get();
    const [, predicate] = String(where?.['sql']).split(' where ');
    return database.prepare(`select count(*) as entries from ${table} where ${predicate}`).get()?.[
      'entries'
    ];
  }
});
