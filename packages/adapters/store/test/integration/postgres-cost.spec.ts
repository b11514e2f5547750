import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client } from 'pg';
import { openPostgresStore, type OpenedStore } from '../../src/index.js';
import { StorePool } from '../../src/postgres/postgres-pool.js';
import type { StoreSchema } from '../../src/schema.js';
import { Statement } from '../../src/statement.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  migratedDatabase,
  requested,
  type TemporaryDatabase,
} from '../support/postgres.js';

const LIMITS = { statementTimeoutMs: 10_000, connectTimeoutMs: 5_000 };
const READS = 12;

describeWithPostgres('work of the PostgreSQL server', () => {
  let database: TemporaryDatabase;
  beforeEach(async () => {
    database = await migratedDatabase();
  });
  afterEach(() => database.remove());
  const open = (): Promise<OpenedStore> =>
    openPostgresStore({
      url: database.url,
      poolSize: POOL_SIZE,
      // Every health check makes a new probe.
      probeClock: { monotonicMs: () => performance.now() * 1_000_000 },
    });

  /**
   * Returns the number of transactions that the server commits for `work`, without those for
   * opening and closing a store. The server counts a session's last commits when it ends.
   */
  async function commitsOf(work: (store: OpenedStore) => Promise<unknown>): Promise<number> {
    const idle = await commitsWithOpening(async () => {});
    return (await commitsWithOpening(work)) - idle;
  }

  async function commitsWithOpening(
    work: (store: OpenedStore) => Promise<unknown>,
  ): Promise<number> {
    const before = await ended();
    const store = await open();
    await work(store);
    await store.close();
    return (await ended()) - before;
  }

  /** Waits until the sessions of all stores have ended. Returns the number of commits so far. */
  async function ended(): Promise<number> {
    const url = new URL(database.url);
    const name = url.pathname.slice(1);
    // Queries over a connection to another database are not counted.
    url.pathname = '/postgres';
    for (;;) {
      const [found] = await requested(
        url.href,
        `select xact_commit::int as commits, numbackends as sessions from pg_stat_database where datname = $1`,
        [name],
      );
      if (found?.['sessions'] === 0) return Number(found['commits']);
    }
  }

  it('the server plans a repeated statement once per connection, but not a statement whose plan depends on its values or whose text varies', async () => {
    const pool = new StorePool(database.url, { ...LIMITS, poolSize: 1 }, () => {});
    const db = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
    const repeated = new Statement<{ readonly id: string }, { readonly id: string }>((of, { id }) =>
      of.selectFrom('attempts').select('id').where('id', '=', id),
    );
    const dependent = new Statement<{ readonly since: bigint }, { readonly id: string }>(
      (of, { since }) => of.selectFrom('attempts').select('id').where('ended_at_ms', '>=', since),
      'each',
    );
    for (const id of ['a', 'b', 'c']) {
      await repeated.all(db, { id });
      await dependent.all(db, { since: 0n });
    }
    for (let count = 1; count < 4; count += 1)
      await db
        .selectFrom('attempts')
        .select('id')
        .where('id', 'in', Array.from({ length: count }, String))
        .execute();
    const { rows } = await sql<{ runs: bigint }>`
      select generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like '%from "attempts"%'`.execute(db);
    expect(rows).toEqual([{ runs: 3n }]);
    await db.destroy();
  });

  it('the server plans a join by indexes while the tables are almost empty', async () => {
    const store = await open();
    await new LedgerDriver(store.ledger).request('a');
    await store.close();
    const pool = new StorePool(database.url, { ...LIMITS, poolSize: 1 }, () => {});
    const db = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select attempts.* from
      (select attempt_key, attempt_number from transactions where lane = 'l' and nonce = 1
        union select owner_key, owner_attempt from nonces where lane = 'l' and nonce = 1) as named,
      attempts where key = attempt_key and attempt = attempt_number`.execute(db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using attempts_key_attempt on attempts');
    expect(plan).not.toContain('Seq Scan');
    await db.destroy();
  });

  it('a migration that changes a table fails no read and no write of a running store', async () => {
    const store = await open();
    const driver = new LedgerDriver(store.ledger);
    const names = Array.from({ length: POOL_SIZE }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => driver.request(name)));
    // All connections prepare the statements.
    const id = `id-of-${names[0]}`;
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(names.map((name) => driver.request(`${name}-${round}`)));
      for (let turn = 0; turn < POOL_SIZE; turn += 1) await store.ledger.attemptById(id);
      await database.query(`alter table attempts add column added_${round} bigint`);
    }
    const read = await Promise.all(names.map(() => store.ledger.attemptById(id)));
    expect(read).toEqual(names.map(() => expect.objectContaining({ id })));
    await database.query('alter table attempts add column last_added bigint');
    const written = await Promise.all(names.map((name) => driver.request(`${name}-last`)));
    expect(written).toEqual(names.map(() => expect.objectContaining({ applied: true })));
    await store.close();
  });

  it('reads of the same turn share one commit', async () => {
    const commits = await commitsOf(async ({ ledger, traffic, settlements, poolControls }) => {
      const reads = Array.from({ length: READS - 3 }, (_, index) =>
        ledger.attemptWithTransactions(`id-${index}`),
      );
      await Promise.all([...reads, traffic.live(), settlements.live(), poolControls.all()]);
    });
    expect(commits).toBe(1);
  });

  it('a failed read fails no other read of its turn', async () => {
    const store = await open();
    await new LedgerDriver(store.ledger).request('a');
    const found = () => store.ledger.attemptById('id-of-a');
    const results = await Promise.allSettled([
      found(),
      store.ledger.waiting('relay', -1),
      found(),
      found(),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(results[3]).toMatchObject({ value: { id: 'id-of-a' } });
    expect(await found()).toMatchObject({ id: 'id-of-a' });
    await store.close();
  });

  it('reads that share a turn fail when the store is closed', async () => {
    const store = await open();
    await store.close();
    const reads = [store.ledger.attemptById('a'), store.ledger.attemptById('b')];
    const results = await Promise.allSettled(reads);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('an instance that is alone sends no notifications', async () => {
    const store = await open();
    const listener = await listening();
    await store.health.probe();
    store.bus.report({ kind: 'changed', id: 'alone' });
    await database.query(
      `insert into instances values ('other', 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
    );
    await store.health.probe();
    store.bus.report({ kind: 'changed', id: 'not-alone' });
    await listener.until(1);
    // The row of a process that does not renew it expires.
    await database.query(`update instances set seen_at_ms = seen_at_ms - 16000 where id = 'other'`);
    await store.health.probe();
    store.bus.report({ kind: 'changed', id: 'alone-again' });
    await database.query(`select pg_notify('sotto_hints', 'test changed end')`);
    await listener.until(2);
    expect(listener.heard.map((text) => text.replace(/^\S+ /, ''))).toEqual([
      'changed not-alone',
      'changed end',
    ]);
    await listener.close();
    await store.close();
  });

  it('notifications of a few milliseconds share one statement', async () => {
    expect(await commitsToNotify(['a', 'b', 'c', 'd'])).toBe(await commitsToNotify(['a']));
  });

  /** Returns the number of commits that notifications cost which are sent in successive turns. */
  function commitsToNotify(ids: readonly string[]): Promise<number> {
    return commitsOf(async ({ bus }) => {
      const listener = await listening();
      for (const id of ids) {
        bus.report({ kind: 'changed', id });
        await new Promise((resolve) => void setImmediate(resolve));
      }
      await listener.until(ids.length);
      await listener.close();
    });
  }

  /** Connects a session that receives the notifications of all instances. */
  async function listening(): Promise<{
    readonly heard: readonly string[];
    until(count: number): Promise<void>;
    close(): Promise<void>;
  }> {
    const client = new Client({ connectionString: database.url });
    const heard: string[] = [];
    client.on('notification', ({ payload = '' }) => void heard.push(payload));
    await client.connect();
    await client.query('listen sotto_hints');
    return {
      heard,
      async until(count) {
        while (heard.length < count)
          await new Promise((resolve) => {
            client.once('notification', resolve);
          });
      },
      close: () => client.end(),
    };
  }
});
