import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { skipped } from '@sotto/keeper-core';
import { systemClock, toFelt } from '@sotto/kernel';
import { LedgerUnavailable, type Hint } from '@sotto/submission-core';
import { LedgerDriver, aSignedTransaction, took } from '@sotto/submission-core/testing';
import { Client } from 'pg';
import { openPostgresStore, type OpenedStore } from '../../src/index.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  migratedDatabase,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';
import { expectAllKept, rival, writerKilledAfter } from '../support/processes.js';

const CONTENDED_LANE = toFelt('0xaaaa');
const NAMES = Array.from({ length: 30 }, (_, index) => `n${index}`);
const INSTANCES = ['a', 'b', 'c'];

describeWithPostgres('PostgreSQL store with several instances', () => {
  let database: TemporaryDatabase;
  const opened: OpenedStore[] = [];
  beforeEach(async () => {
    database = await migratedDatabase();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await database.remove();
  });
  const open = async (
    options: Partial<Parameters<typeof openPostgresStore>[0]> = {},
  ): Promise<OpenedStore> => {
    const store = await openPostgresStore({ url: database.url, ...options, poolSize: POOL_SIZE });
    opened.push(store);
    return store;
  };
  /**
   * Sets the server's default of a setting, for all connections to the database that are opened
   * after this call.
   */
  const setDefault = (setting: string) =>
    database.query(
      `do $$ begin execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database()); end $$`,
    );

  it('several service instances with one store assign each key, nonce and lease only once', async () => {
    const { ledger } = await open();
    await ledger.registerLane(CONTENDED_LANE, 'relay');
    const won = await Promise.all(INSTANCES.map((me) => rival(database.url, me, NAMES)));
    const nonces = won.flatMap((each) => each.nonces).toSorted((a, b) => a - b);
    expect(won.reduce((sum, { requests }) => sum + requests, 0)).toBe(NAMES.length);
    expect(won.reduce((sum, { leases }) => sum + leases, 0)).toBe(1);
    expect(nonces).toEqual(nonces.map((_, index) => index));
    expect(nonces.length).toBeGreaterThan(0);
    const openNonces = await ledger.openNonces(LedgerDriver.lane);
    expect(openNonces.map(({ row }) => Number(row.nonce))).toEqual(nonces);
    expect(new Set(openNonces.map(({ owner }) => owner?.id)).size).toBe(nonces.length);
  });

  it('only one of several service instances redeems each quote', async () => {
    const { quotes } = await open();
    for (const name of NAMES) await quotes.add(aFeeQuote(name));
    const won = await Promise.all(INSTANCES.map((me) => rival(database.url, me, NAMES)));
    const served = won.flatMap((each) => each.quotes);
    expect(served.toSorted((a, b) => a.localeCompare(b))).toEqual(
      NAMES.toSorted((a, b) => a.localeCompare(b)),
    );
  });

  it('the schema is created once if several service instances open the database concurrently', async () => {
    await database.remove();
    database = await temporaryDatabase();
    const won = await Promise.all(INSTANCES.map((me) => rival(database.url, me, ['only'])));
    expect(won.reduce((sum, { requests }) => sum + requests, 0)).toBe(1);
    const [applied] = await database.query(
      'select count(*) = count(distinct name) as once from kysely_migration',
    );
    expect(applied).toEqual({ once: true });
  });

  it('the store contains every record that a killed process had acknowledged', async () => {
    const acknowledged = await writerKilledAfter(20, database.url);
    expect(acknowledged.size).toBeGreaterThanOrEqual(7);
    await expectAllKept((await open()).ledger, acknowledged);
  });

  it('a second instance leases a lane once the lease of a killed instance has expired', async () => {
    const [first, second] = [await open(), await open()];
    await first.ledger.registerLane(CONTENDED_LANE, 'relay');
    const held = await first.ledger.lease(CONTENDED_LANE, 'first', 300);
    expect(await second.ledger.lease(CONTENDED_LANE, 'second', 300)).toBeNull();
    await systemClock.sleep(300);
    expect(await second.ledger.lease(CONTENDED_LANE, 'second', 300)).toMatchObject({
      leasedTo: 'second',
      fence: (held?.fence ?? 0n) + 1n,
    });
    expect(await first.ledger.renew(CONTENDED_LANE, 'first', held?.fence ?? 0n, 300)).toBe(false);
  });

  it('only one of several service instances leases a keeper task', async () => {
    const { taskLeases } = await open();
    const won = await Promise.all(INSTANCES.map((me) => rival(database.url, me, ['n'])));
    expect(won.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(1);
    expect(await taskLeases.holders()).toMatchObject([{ task: 'curator' }]);
  });

  it('a second instance leases a keeper task once the lease of a killed instance has expired', async () => {
    const [first, second] = [await open(), await open()];
    expect(await first.taskLeases.hold('curator', 'killed', 300)).toBe(true);
    expect(await second.taskLeases.hold('curator', 'second', 300)).toBe(false);
    await systemClock.sleep(300);
    expect(await second.taskLeases.hold('curator', 'second', 60_000)).toBe(true);
    expect(await first.taskLeases.hold('curator', 'killed', 300)).toBe(false);
  });

  it('records polls, pauses and spending of keeper tasks with times of the database’s clock', async () => {
    const { taskBook } = await open();
    const beforeMs = systemClock.nowMs();
    await taskBook.note('curator', 'trident', skipped('NOT_DUE'));
    await taskBook.pause('curator', null, 'upgrade');
    await taskBook.resume('batches', null);
    const [poll] = await taskBook.looks();
    const [batches, curator] = await taskBook.controls();
    for (const atMs of [poll?.atMs, batches?.resumedAtMs, curator?.paused?.sinceMs])
      expect(Math.abs((atMs ?? 0) - beforeMs)).toBeLessThan(60_000);
    expect(await taskBook.spending(['withdraw'], beforeMs)).toEqual({
      spentFri: 0n,
      liveL2Gas: 0n,
      earned: [],
    });
  });

  it('measures leases of lanes by the database’s clock, regardless of the instances’ clocks', async () => {
    const { ledger } = await open();
    await ledger.registerLane(CONTENDED_LANE, 'relay');
    await ledger.lease(CONTENDED_LANE, 'first', 60_000);
    // For connections opened after this statement, the database's clock is an hour ahead.
    await database.query('create schema ahead');
    await database.query(`create function ahead.clock_timestamp() returns timestamptz language sql as
      $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`);
    await setDefault('search_path = ahead, pg_catalog, public');
    expect(await ledger.lease(CONTENDED_LANE, 'second', 60_000)).toBeNull();
    const later = await open();
    expect(await later.ledger.lease(CONTENDED_LANE, 'second', 60_000)).toMatchObject({
      leasedTo: 'second',
    });
  });

  it('rejects a ledger call that waited too long for a locked row, and accepts later calls', async () => {
    const { ledger } = await open({ statementTimeoutMs: 300 });
    const driver = new LedgerDriver(ledger);
    await driver.lease();
    const { transaction } = await driver.broadcast('a', 0n);
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query('begin');
    await other.query('select * from lanes for update');
    await expect(driver.claim(0n, transaction.hash)).rejects.toBeInstanceOf(LedgerUnavailable);
    expect(await database.query('select from pg_locks where not granted')).toEqual([]);
    await other.query('rollback');
    await other.end();
    expect(await driver.settle(0n, took(transaction.hash))).toMatchObject({
      applied: true,
      attempt: { state: 'succeeded' },
    });
  });

  it('repeats a write that the database aborted because of a deadlock', async () => {
    // A session checks for a deadlock once, after this timeout. When the check runs, the other
    // session must be waiting for its lock.
    await setDefault(`deadlock_timeout = '2s'`);
    const { ledger } = await open();
    const driver = new LedgerDriver(ledger);
    await driver.lease();
    const attempt = await driver.accepted('a');
    const other = new Client({ connectionString: database.url });
    await other.connect();
    // The other session never checks for deadlocks, so the database aborts the store's session.
    await other.query(`set deadlock_timeout = '1h'`);
    await other.query('begin');
    await other.query('select * from attempts for update');
    await driver.introduce(0n);
    const preparing = driver.store(attempt, 0n, aSignedTransaction('a'), { version: 0 });
    await until(
      async () => (await database.query('select from pg_locks where not granted')).length > 0,
    );
    await other.query('select * from lanes for update');
    await other.query('rollback');
    await other.end();
    expect(await preparing).toMatchObject({
      applied: true,
      attempt: { state: 'broadcast', nonce: 0n },
    });
  });

  it('an instance receives the store’s notifications again after a lost connection', async () => {
    const [speaker, listener] = [await open(), await open()];
    const heard: Hint[] = [];
    listener.bus.hear((hint) => void heard.push(hint));
    await database.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    );
    speaker.bus.report({ kind: 'changed', id: 'lost' });
    await until(() => heard.length > 0);
    expect(heard[0]).toEqual({ kind: 'work' });
    await until(() => {
      speaker.bus.report({ kind: 'changed', id: 'received' });
      return heard.some((hint) => hint.kind === 'changed');
    });
    expect(heard.at(-1)).toEqual({ kind: 'changed', id: 'received' });
    // The server also closed the ledger's connections; the ledger reconnects.
    expect(await listener.ledger.lastAttempt('unknown')).toBeNull();
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await systemClock.sleep(20);
}
