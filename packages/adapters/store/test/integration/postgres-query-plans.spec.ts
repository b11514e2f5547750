import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LedgerDriver, aSignedTransaction, took } from '@sotto/submission-core/testing';
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import { Client } from 'pg';
import { openPostgresStore } from '../../src/index.js';
import { postgresDialect } from '../../src/postgres/postgres-dialect.js';
import { StorePool } from '../../src/postgres/postgres-pool.js';
import type { StoreSchema } from '../../src/schema.js';
import { SqlLedger } from '../../src/ledger/sql-ledger.js';
import { SchemaWatch } from '../../src/migrations/schema-watch.js';
import { migrationOptions, storeOn } from '../../src/store.js';
import { aTransfer } from '../a-transfer.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';

const ENDED = 10_000;
const { lane } = LedgerDriver;
/**
 * Pattern of a sequential scan of a table that grows without limit. Sequential scans of the other
 * tables are permitted, because these tables are small: they contain only unredacted rows.
 */
const GROWING = /Seq Scan on (?:attempts|nonces|transactions|quotes|transfers|claims)\b/;

describeWithPostgres('ledger on PostgreSQL with ten thousand ended submissions', () => {
  let database: TemporaryDatabase;
  let db: Kysely<StoreSchema>;
  let explaining: Client;
  let queries: CompiledQuery[] = [];
  let store: ReturnType<typeof storeOn>;
  let driver: LedgerDriver;

  beforeAll(async () => {
    database = await temporaryDatabase();
    await (await openPostgresStore({ url: database.url, poolSize: POOL_SIZE })).close();
    const pool = new StorePool(
      database.url,
      { poolSize: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 5_000 },
      () => {},
    );
    db = new Kysely<StoreSchema>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void queries.push(query),
    });
    explaining = new Client({ connectionString: database.url });
    await explaining.connect();
    const dialect = postgresDialect(db, null);
    const schema = new SchemaWatch(db, dialect, migrationOptions({}, dialect.name));
    store = storeOn(db, dialect, {}, new SqlLedger(db, dialect), schema);
    driver = new LedgerDriver(store.ledger);
    await driver.lease();
    const { attempt, transaction } = await driver.broadcast('first', 0n);
    await driver.settle(0n, took(transaction.hash));
    await fillWithEnded(attempt.id, transaction.hash);
    await driver.broadcast('flying', BigInt(ENDED) + 1n);
    await driver.accepted('waits');
    await explaining.query('vacuum analyze');
  });
  afterAll(async () => {
    await explaining.end();
    await db.destroy();
    await database.remove();
  });

  it('ledger calls on PostgreSQL never read a growing table completely', async () => {
    const { ledger, quotes, transfers } = store;
    const plans = await plansOf(async () => {
      const { attempt, transaction } = await driver.broadcast('another', BigInt(ENDED) + 2n);
      await driver.claim(BigInt(ENDED) + 2n, transaction.hash);
      await driver.settle(BigInt(ENDED) + 2n, took(transaction.hash));
      await driver.request('another');
      await ledger.attemptById(attempt.id);
      await ledger.lastAttempt(attempt.key);
      await ledger.attempt(attempt);
      await ledger.unfinalNonces(lane, 'newest', 10);
      await ledger.unfinalNonces(lane, 'oldest', 10);
      await ledger.state();
      await ledger.transactionsOf(attempt);
      await ledger.waiting('relay', 10);
      await ledger.openNonces(lane);
      await ledger.calldata(attempt.id);
      await ledger.signedParts(aSignedTransaction('first').hash);
      await driver.finalize(BigInt(ENDED) + 2n);
      await driver.endQuarantine();
      await ledger.redact(5_000);
      await quotes.redeem('copy-1', 'key', 0);
      await quotes.redeem('copy-1', 'another', 0);
      await quotes.forget({ usedMs: 10, unusedMs: 10 });
      await transfers.get('copy-1');
      await transfers.forget({ usedMs: 10, unusedMs: 10 });
      await transfers.countUnconfirmed(10);
    });
    expect(plans.length).toBeGreaterThan(60);
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
    expect(plans.join('\n')).toContain('attempts_waiting');
    expect(plans.join('\n')).toContain('nonces_open');
  });

  it('a redaction on PostgreSQL reads only rows that are due', async () => {
    // Simulate a day with much traffic, on which no row is final or redacted yet.
    await explaining.query(`update attempts set wiped = 0, is_final = 0 where key like 'key%'`);
    await explaining.query(`update nonces set wiped = 0, is_final = 0 where owner_key like 'key%'`);
    await explaining.query('vacuum analyze');
    const plans = await plansOf(() => store.ledger.redact(3_600_000));
    for (const index of ['attempts_ended_and_kept', 'nonces_settled_and_kept'])
      expect(plans.join('\n')).toContain(index);
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
    expect(plans.filter((step) => /Seq Scan on (?:calldata|signed_bytes)/.test(step))).toEqual([]);
  });

  it('finds the costs of a keeper task’s attempts on PostgreSQL by indexes on kind and end time', async () => {
    // Ten thousand attempts of the kind `withdraw` have ended, so a plan that reads them all would
    // be expensive.
    for (const kinds of [['withdraw'], ['deploy_idle_funds', 'withdraw']]) {
      const plans = await plansOf(() => store.taskBook.spending(kinds, 9_000_000_000_000));
      expect(plans.some((step) => totalCost(step) > 0)).toBe(true);
      expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
      for (const cost of plans.map(totalCost)) expect(cost).toBeLessThan(50);
    }
    const plans = await plansOf(() => store.taskBook.spending(['deploy_idle_funds'], 0));
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
    // If no row has this kind, both indexes that start with the kind have the same cost.
    expect(plans.join('\n')).toMatch(/attempts_(?:by|of)_kind/);
  });

  it('income of attempts with one transaction is found on PostgreSQL without their nonces', async () => {
    const nonce = BigInt(ENDED) + 3n;
    const { attempt, transaction } = await driver.broadcast('latest', nonce);
    await driver.settle(nonce, took(transaction.hash));
    const endedAtMs = (await store.ledger.attemptById(attempt.id))?.endedAtMs ?? 0;
    const plans = await plansOf(() => store.settlements.ended(endedAtMs, 10), 'explain (analyze)');
    const ofNonces = plans.filter((step) => / on nonces\b/.test(step));
    expect(ofNonces).toEqual([expect.stringContaining('(never executed)')]);
  });

  it('lists submissions on PostgreSQL by indexes, for any filter and cursor', async () => {
    const rare = { state: 'refused', kind: 'deposit', subject: lane, lane } as const;
    const after = { acceptedAtMs: 9_000_000_000_000, row: 5_000n };
    const plans = await plansOf(async () => {
      await store.register.page({}, null, 10);
      await store.register.page({}, after, 10);
      await store.register.page({ acceptedSinceMs: 1, acceptedBeforeMs: 9_000 }, null, 10);
      for (const [name, value] of Object.entries(rare)) {
        await store.register.page({ [name]: value }, null, 10);
        await store.register.page({ [name]: value, acceptedSinceMs: 1 }, after, 10);
      }
      await store.register.ofId('id5');
      await store.register.ofKeys(['key5', 'key6']);
      await store.register.ofTransaction(aSignedTransaction('first').hash);
    });
    expect(plans.length).toBeGreaterThan(20);
    expect(plans.filter((step) => GROWING.test(step))).toEqual([]);
    // Compare the cost of one page, which is in the step `Limit`. The steps inside it show the
    // higher cost of reading all rows.
    const pages = plans.filter((step) => step.startsWith('Limit'));
    expect(pages).toHaveLength(11);
    for (const cost of pages.map(totalCost)) expect(cost).toBeLessThan(50);
  });

  it('finds due, waiting and old webhook deliveries of an endpoint on PostgreSQL by indexes', async () => {
    const { webhookDeliveries } = store;
    await webhookDeliveries.add({ kind: 'submission', subject: 's', component: '' }, 'shop', 2);
    // All deliveries except the first wait until their submission is final.
    await copies('webhook_deliveries', `subject = 's'`, {
      id: `'copy-' || i`,
      subject: `'copy-' || i`,
      delivered_state: `'succeeded'`,
    });
    await explaining.query('vacuum analyze webhook_deliveries');
    const plans = await plansOf(async () => {
      expect(await webhookDeliveries.countUndelivered('shop')).toBe(1);
      expect(await webhookDeliveries.count('shop')).toBe(ENDED + 1);
      await webhookDeliveries.claim('shop', { limit: 4, leaseMs: 60_000 });
      await webhookDeliveries.forget(3_600_000, 10);
    });
    const all = plans.join('\n');
    expect(all).toContain('webhook_deliveries_undelivered');
    expect(all).toMatch(/Index Cond: \(\(endpoint = '?\S+ AND \(due_at_ms <= /);
    expect(all).toContain('Index Cond: (added_at_ms < ');
    expect(plans.filter((step) => /Seq Scan on webhook_deliveries/.test(step))).toEqual([]);
  });

  /**
   * Inserts many copies of a settled submission, a quote and a transfer directly into the tables.
   */
  async function fillWithEnded(id: string, hash: string): Promise<void> {
    await store.quotes.add(aFeeQuote('q'));
    await store.transfers.update('t', 1_000, () => aTransfer);
    const end = { is_final: '1', wiped: '2' };
    await copies('attempts', `id = '${id}'`, {
      ...end,
      key: `'key' || i`,
      id: `'id' || i`,
      nonce: 'i',
      transaction_hash: `'0x' || i`,
    });
    const settled = { is_final: '1', wiped: '1', through: 'i' };
    await copies('nonces', 'nonce = 0', {
      ...settled,
      nonce: 'i',
      settled_by: `'0x' || i`,
      owner_key: `'key' || i`,
    });
    await explaining.query(`update lanes set next_nonce = ${ENDED + 1}`);
    await copies('transactions', `hash = '${hash}'`, {
      nonce: 'i',
      hash: `'0x' || i`,
      attempt_key: `'key' || i`,
    });
    await copies('quotes', `id = 'q'`, { id: `'copy-' || i` });
    await copies('transfers', `transaction_id = 't'`, { transaction_id: `'copy-' || i` });
  }

  async function copies(
    table: string,
    where: string,
    changed: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { rows } = await explaining.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = $1 and column_name <> 'seq'`,
      [table],
    );
    const columns = rows.map(({ name }) => name);
    const values = columns.map((name) => changed[name] ?? `${table}.${name}`);
    await explaining.query(
      `insert into ${table} (${columns.join()}) select ${values.join()} from generate_series(1, ${ENDED}) as i, ${table} where ${where}`,
    );
  }

  /** Returns all steps of the query plans for the statements of a call. */
  async function plansOf(call: () => Promise<unknown>, explain = 'explain'): Promise<string[]> {
    queries = [];
    await call();
    const plans: string[] = [];
    for (const { sql, parameters } of queries.filter((query) =>
      /^(?:select|insert|update|delete|with)/.test(query.sql),
    )) {
      const { rows } = await explaining.query<Record<string, string>>(`${explain} ${sql}`, [
        ...parameters,
      ]);
      plans.push(...rows.flatMap((row) => Object.values(row)));
    }
    return plans;
  }
});

/** Returns the planner's total cost of a step; 0 if the line contains no cost. */
function totalCost(step: string): number {
  return Number(/cost=[\d.]+\.\.([\d.]+)/.exec(step)?.[1] ?? 0);
}
