import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { skipped } from '@sotto/keeper-core';
import { systemClock } from '@sotto/kernel';
import { LedgerDriver, aSignedTransaction, took } from '@sotto/submission-core/testing';
import { Kysely, type CompiledQuery } from 'kysely';
import { migrate } from '../../src/migrations/migrate.js';
import { migrationOptions } from '../../src/store.js';
import { NodeSqliteDatabase } from '../../src/sqlite/node-sqlite.js';
import { NO_LOG, NodeSqliteDialect } from '../../src/sqlite/sqlite-driver.js';
import type { StoreSchema } from '../../src/schema.js';
import { SqlSubmissionLocks } from '../../src/guard/sql-submission-locks.js';
import { SqlLedger } from '../../src/ledger/sql-ledger.js';
import { SqlAlertStore } from '../../src/webhooks/sql-alert-store.js';
import { SqlDeliveryStore } from '../../src/webhooks/sql-delivery-store.js';
import { SqlTaskStore } from '../../src/keeper/sql-task-store.js';
import { SqlTaskLeases } from '../../src/keeper/sql-task-leases.js';
import { SqlSettlementHistory } from '../../src/guard/sql-settlement-history.js';
import { SqlQuoteStore } from '../../src/quotes/sql-quote-store.js';
import { SqlTopUpStore } from '../../src/guard/sql-top-up-store.js';
import { SqlTrafficStore } from '../../src/guard/sql-traffic-store.js';
import { SqlTransferStore } from '../../src/transfers/sql-transfer-store.js';
import { openSqliteDatabase, sqliteDialect } from '../../src/sqlite/sqlite-database.js';
import { StoreTime } from '../../src/store-time.js';
import { aTransfer } from '../a-transfer.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

const ENDED = 10_000;
const NO_CHECKPOINTS = { emptied: async (empty: () => void) => empty() };
const { lane } = LedgerDriver;

/**
 * Pattern of a scan of a table that grows without limit. Scans of partial indexes are excluded if
 * these contain only rows to be redacted or evidence of unreliable rejections.
 */
const GROWING =
  /SCAN (?:attempts|nonces|transactions|quotes|transfers|claims)\b(?!.* INDEX (?:\w+_and_kept|nonces_disproving)$)/;

describe('ledger on SQLite with ten thousand ended submissions', () => {
  const file = temporaryLedgerFile();
  let queries: CompiledQuery[] = [];
  let database: DatabaseSync;
  let db: Kysely<StoreSchema>;
  let ledger: SqlLedger;
  let driver: LedgerDriver;

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
    const dialect = sqliteDialect(database, new StoreTime(systemClock), NO_CHECKPOINTS);
    await migrate(db, dialect, migrationOptions({}, dialect.name));
    ledger = new SqlLedger(db, dialect);
    driver = new LedgerDriver(ledger);
    await driver.lease();
    fillWithEnded(await driver.broadcast('first', 0n));
    await driver.broadcast('flying', BigInt(ENDED) + 1n);
    await driver.accepted('waits');
  });

  afterAll(async () => {
    await db.destroy();
    file.remove();
  });

  it('the store uses the SQLite settings on which durability and privacy depend', () => {
    const settings = [
      'journal_mode',
      'synchronous',
      'secure_delete',
      'foreign_keys',
      'busy_timeout',
      'page_size',
      'wal_autocheckpoint',
    ];
    expect(
      settings.map((name) => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0]),
    ).toEqual(['wal', 1, 1, 1, 0, 2_048, 65_536]);
  });

  it('finds waiting attempts on SQLite by their partial index', async () => {
    expect(await plansOf(() => ledger.waiting('relay', 10))).toEqual([
      'SEARCH attempts USING INDEX attempts_waiting (role=?)',
    ]);
    expect(await ledger.waiting('relay', 10)).toMatchObject([{ id: 'id-of-waits' }]);
  });

  it('finds open nonces, their owners and their transactions on SQLite by the partial index', async () => {
    const plans = await plansOf(() => ledger.openNonces(lane));
    expect(plans).toContain('SEARCH nonces USING INDEX nonces_open (lane=?)');
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
    expect(await ledger.openNonces(lane)).toMatchObject([
      { row: { nonce: 0n } },
      { row: { nonce: BigInt(ENDED) + 1n } },
    ]);
  });

  it('reads only the nonce of a command, not all nonces of the lane', async () => {
    const plans = await plansOf(() => driver.claim(0n, aSignedTransaction('first').hash));
    expect(
      plans.filter((step) => / (?:nonces|transactions|below) .*\(lane=\?\)/.test(step)),
    ).toEqual([]);
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
  });

  it('the search for unended attempts above a nonce reads only open nonces', async () => {
    const plans = await plansOf(() => driver.store(null, 0n, aSignedTransaction('noop')));
    expect(plans).toContainEqual(
      expect.stringMatching(
        /^SEARCH nonces USING (?:COVERING )?INDEX nonces_open \(lane=\? AND nonce>\?\)$/,
      ),
    );
  });

  it('ledger calls on SQLite never read a growing table completely', async () => {
    const plans = await plansOf(async () => {
      const { attempt, transaction } = await driver.broadcast('another', BigInt(ENDED) + 2n);
      await driver.claim(BigInt(ENDED) + 2n, transaction.hash);
      await driver.settle(BigInt(ENDED) + 2n, took(transaction.hash));
      await driver.reopen(BigInt(ENDED) + 2n);
      await driver.settle(BigInt(ENDED) + 2n, took(transaction.hash));
      await driver.request('another');
      await ledger.attemptById(attempt.id);
      await ledger.lastAttempt(attempt.key);
      await ledger.attempt(attempt);
      await ledger.unfinalNonces(lane, 'newest', 10);
      await ledger.unfinalNonces(lane, 'oldest', 10);
      await ledger.finalNonces(lane, 10);
      await ledger.state();
      await ledger.transactionsOf(attempt);
      await ledger.calldata(attempt.id);
      await ledger.signedParts(transaction.hash);
      await driver.finalize(BigInt(ENDED) + 2n);
      await driver.endQuarantine();
      await ledger.redact(5_000);
    });
    expect(plans.length).toBeGreaterThan(30);
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
  });

  it('finds quotes on SQLite by id, and expired quotes by expiry', async () => {
    const quotes = new SqlQuoteStore(db);
    const plans = await plansOf(async () => {
      await quotes.add(aFeeQuote('q'));
      await quotes.find('q');
      await quotes.redeem('q', 'key', 0);
      await quotes.redeem('q', 'another', 0);
      await quotes.forget({ usedMs: 10_000, unusedMs: 10_000 });
    });
    expect(plans.filter((step) => step.startsWith('SEARCH quotes'))).toHaveLength(5);
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
  });

  it('finds bridge transfers on SQLite by id, and old bridge transfers by their last change', async () => {
    const transfers = new SqlTransferStore(
      db,
      sqliteDialect(database, new StoreTime(systemClock), NO_CHECKPOINTS),
    );
    const plans = await plansOf(async () => {
      await transfers.update('t', 1_000, () => aTransfer);
      await transfers.update('t', 1_000, () => ({ ...aTransfer, next: 'failed' }));
      await transfers.get('t');
      await transfers.forget({ usedMs: 10_000, unusedMs: 10_000 });
      await transfers.countUnconfirmed(10);
    });
    expect(plans.filter((step) => step.startsWith('SEARCH transfers'))).toHaveLength(6);
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
  });

  it('finds income and costs on SQLite by end time, and unended attempts by the partial index', async () => {
    const money = new SqlSettlementHistory(db, { reads: () => db });
    const ended = await plansOf(() => money.ended(2_000, 10));
    expect(ended).toContainEqual(expect.stringContaining('INDEX attempts_by_end (ended_at_ms>?)'));
    expect(ended.filter((step) => GROWING.test(step))).toEqual([]);
    const live = await plansOf(() => money.live());
    expect(live).toContainEqual(expect.stringContaining('INDEX attempts_live'));
  });

  it('finds unended attempts of callers by the partial index, and deposits by end time', async () => {
    const traffic = new SqlTrafficStore(db, { reads: () => db });
    expect(await plansOf(() => traffic.live())).toContainEqual(
      expect.stringContaining('INDEX attempts_live'),
    );
    const ended = await plansOf(() => traffic.depositsSince(2_000));
    expect(ended).toContainEqual(
      expect.stringContaining('INDEX attempts_by_kind (kind=? AND ended_at_ms>?)'),
    );
    expect(ended.filter((step) => GROWING.test(step))).toEqual([]);
  });

  it('finds unended lane top-ups, and paid lane top-ups by end time, by an index on their kind', async () => {
    const topUps = new SqlTopUpStore(db);
    const plans = await plansOf(() => topUps.since(2_000));
    expect(plans).toEqual([
      expect.stringContaining('INDEX attempts_by_kind (kind=? AND ended_at_ms=?)'),
      expect.stringContaining('INDEX attempts_by_kind (kind=? AND ended_at_ms>?)'),
    ]);
  });

  it('finds locks of submissions by name, and old locks by age', async () => {
    const claims = new SqlSubmissionLocks(db);
    const plans = await plansOf(async () => {
      await claims.replace('n', await claims.take('n', 'a', 1_000), 'b', 2_000);
      await claims.forget(1_000);
    });
    expect(plans.filter((step) => step.startsWith('SEARCH claims'))).toHaveLength(2);
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
  });

  it('finds the costs of a keeper task’s attempts on SQLite by indexes on kind and end time', async () => {
    const dialect = sqliteDialect(database, new StoreTime(systemClock), NO_CHECKPOINTS);
    const store = new SqlTaskStore(db, dialect);
    const spending = await plansOf(() => store.spending(['deploy_idle_funds', 'withdraw'], 2_001));
    expect(spending).toEqual([
      'SEARCH attempts USING INDEX attempts_by_kind (kind=? AND ended_at_ms>?)',
      'SEARCH attempts USING INDEX attempts_by_kind (kind=? AND ended_at_ms=?)',
    ]);
    const leases = new SqlTaskLeases(db, dialect);
    const others = await plansOf(async () => {
      await leases.hold('curator', 'a', 1_000);
      await leases.release('curator', 'a');
      await store.note('curator', 'trident', skipped('NOT_DUE'));
      await store.looks();
      await store.forget(1_000, 10);
    });
    expect(others).toContainEqual(
      expect.stringContaining('SEARCH task_looks USING INDEX task_looks_by_time (at_ms>?)'),
    );
    expect(others).toContainEqual(
      expect.stringContaining('SEARCH task_looks USING INDEX task_looks_by_time (at_ms<?)'),
    );
    expect(others.filter((step) => GROWING.test(step) || /SCAN task_looks/.test(step))).toEqual([]);
  });

  it('finds webhook deliveries of a topic, due deliveries and old deliveries on SQLite by indexes', async () => {
    const dialect = sqliteDialect(database, new StoreTime(systemClock), NO_CHECKPOINTS);
    const store = new SqlDeliveryStore(db, dialect);
    const alerts = new SqlAlertStore(db, dialect);
    const plans = await plansOf(async () => {
      await store.add({ kind: 'submission', subject: 's', component: '' }, 'shop', 2);
      for (const delivery of await store.claim('shop', { limit: 1, leaseMs: 1 }))
        await store.settle(delivery, null, 1_000);
      await store.count('shop');
      await store.countUndelivered('shop');
      await store.ofKind('alert');
      await store.forget(1_000, 10);
      await alerts.note('a', [{ code: 'C', component: 'node' }], 1_000);
      await alerts.sightings({ code: 'C', component: 'node' });
    });
    expect(plans).toContainEqual(
      expect.stringContaining('INDEX webhook_deliveries_due (endpoint=? AND due_at_ms<?)'),
    );
    expect(plans).toContainEqual(
      expect.stringContaining('INDEX webhook_deliveries_by_age (added_at_ms<?)'),
    );
    expect(plans).toContainEqual(
      expect.stringContaining('INDEX webhook_deliveries_undelivered (endpoint=?)'),
    );
    expect(plans.filter((step) => /SCAN webhook/.test(step) || GROWING.test(step))).toEqual([]);
  });

  /** Inserts many copies of a settled submission directly into the tables. */
  function fillWithEnded({
    attempt,
    transaction,
  }: Awaited<ReturnType<LedgerDriver['broadcast']>>): void {
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ENDED})`;
    const copies = (table: string, where: string, changed: Record<string, string>): string => {
      const columns = database
        .prepare(`select name from pragma_table_info('${table}') where name <> 'seq'`)
        .all()
        .map((row) => String(row['name']));
      const values = columns.map((name) => changed[name] ?? name);
      return `insert into ${table} (${columns.join()}) ${numbers} select ${values.join()} from n, ${table} where ${where}`;
    };
    const end = {
      state: `'succeeded'`,
      transaction_hash: `'0x' || i`,
      ended_at_ms: '2000',
      nonce: 'i',
      is_final: '1',
      wiped: '2',
    };
    database.exec('begin');
    database.exec(
      copies('attempts', `id = '${attempt.id}'`, { ...end, key: `'key' || i`, id: `'id' || i` }),
    );
    const settled = {
      state: `'settled'`,
      settled_by: `'0x' || i`,
      is_foreign: '0',
      disproves_refusal: '0',
      settled_at_ms: '2000',
      is_final: '1',
    };
    database.exec(
      copies('nonces', 'nonce = 0', {
        ...settled,
        nonce: 'i',
        through: 'i',
        owner_key: `'key' || i`,
        wiped: '1',
      }),
    );
    database.exec(`update lanes set next_nonce = ${ENDED + 1}`);
    database.exec(
      copies('transactions', `hash = '${transaction.hash}'`, {
        nonce: 'i',
        hash: `'0x' || i`,
        attempt_key: `'key' || i`,
      }),
    );
    database.exec('commit');
  }

  /** Returns all steps of the query plans for the statements of a call. */
  async function plansOf(call: () => Promise<unknown>): Promise<string[]> {
    queries = [];
    await call();
    return queries
      .filter(({ sql }) => /^(?:select|insert|update|delete)/.test(sql))
      .flatMap(({ sql, parameters }) =>
        database.prepare(`explain query plan ${sql}`).all(...parameters.map(bindable)),
      )
      .map((row) => String(row['detail']));
  }
});

function bindable(value: unknown): SQLInputValue {
  if (
    value === null ||
    typeof value === 'bigint' ||
    typeof value === 'number' ||
    typeof value === 'string'
  )
    return value;
  return value instanceof Uint8Array ? value : null;
}
