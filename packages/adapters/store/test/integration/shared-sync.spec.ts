import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { Kysely } from 'kysely';
import { SqlLedger } from '../../src/ledger/sql-ledger.js';
import { withStoreErrors } from '../../src/map-store-errors.js';
import { SchemaWatch } from '../../src/migrations/schema-watch.js';
import { migrationOptions } from '../../src/store.js';
import type { StoreSchema } from '../../src/schema.js';
import { SqlStoreHealth } from '../../src/sql-store-health.js';
import type { LogFile, SyncedFile } from '../../src/sqlite/log-file.js';
import { LogSync } from '../../src/sqlite/log-sync.js';
import { NodeSqliteDatabase } from '../../src/sqlite/node-sqlite.js';
import { openLog, openSqliteDatabase, sqliteDialect } from '../../src/sqlite/sqlite-database.js';
import { NodeSqliteDialect } from '../../src/sqlite/sqlite-driver.js';
import { StoreTime } from '../../src/store-time.js';
import { migratedLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

/** Log file on a disk whose syncs a test can delay or make fail. */
class SlowFile implements SyncedFile {
  syncs = 0;
  rewrites = 0;
  failure: Error | null = null;
  #held: PromiseWithResolvers<void> | null = null;

  constructor(private readonly file: LogFile) {}

  async sync(): Promise<void> {
    this.syncs += 1;
    await this.#held?.promise;
    if (this.failure !== null) throw this.failure;
    await this.file.sync();
  }

  rewrite(): void {
    this.rewrites += 1;
    this.file.rewrite();
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** Delays the running sync and all syncs after it until the returned function is called. */
  hold(): () => void {
    const held = Promise.withResolvers<void>();
    this.#held = held;
    return () => {
      this.#held = null;
      held.resolve();
    };
  }
}

describe('SQLite store', () => {
  let file: TemporaryLedgerFile;
  let database: DatabaseSync;
  let other: DatabaseSync;
  let disk: SlowFile;
  let db: Kysely<StoreSchema>;
  let ledger: SqlLedger;
  let health: SqlStoreHealth;
  let driver: LedgerDriver;

  beforeEach(async () => {
    file = await migratedLedgerFile();
    database = openSqliteDatabase(file.path, 10);
    disk = new SlowFile(openLog(database, file.path));
    let probedAtMs = 0;
    db = new Kysely<StoreSchema>({
      dialect: new NodeSqliteDialect({
        database: new NodeSqliteDatabase(database),
        log: new LogSync(disk, () => {}),
      }),
    });
    const dialect = sqliteDialect(database, new StoreTime(systemClock), {
      emptied: async (empty: () => void) => empty(),
    });
    ledger = withStoreErrors(new SqlLedger(db, dialect));
    const schema = new SchemaWatch(db, dialect, migrationOptions({}, dialect.name));
    // The clock advances at each query, so that each health check makes a new probe.
    health = new SqlStoreHealth(schema, dialect, { monotonicMs: () => (probedAtMs += 10_000) });
    driver = new LedgerDriver(ledger);
    await ledger.state();
    other = new DatabaseSync(file.path);
    disk.syncs = 0;
    disk.rewrites = 0;
  });
  afterEach(async () => {
    await db.destroy();
    other.close();
    file.remove();
  });

  /** Returns the number of submissions that another process can read. */
  const visible = (): number =>
    Number(other.prepare('select count(*) as n from attempts').get()?.['n']);

  async function untilVisible(count: number): Promise<void> {
    while (visible() < count) await new Promise(setImmediate);
    // After these turns of the event loop, all work that does not need the disk is done.
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  }

  it('writes resolve only when their data is on disk', async () => {
    const answered: string[] = [];
    const noted = async (name: string, call: Promise<unknown>): Promise<void> => {
      await call;
      answered.push(name);
    };
    const goOn = disk.hold();
    const calls = ['a', 'b', 'c'].map((name) => noted(name, driver.request(name)));
    await untilVisible(3);
    calls.push(
      noted('read of a', ledger.attemptById('id-of-a')),
      noted('read of nothing', ledger.attemptById('id-of-none')),
      noted('d', driver.request('d')),
    );
    await untilVisible(3);
    expect([answered, disk.syncs]).toEqual([[], 1]);
    goOn();
    await Promise.all(calls);
    expect(answered).toEqual(['a', 'b', 'c', 'read of a', 'read of nothing', 'd']);
    expect(disk.syncs).toBe(2);
  });

  it('reads of data on disk and writes without changes cause no sync', async () => {
    await driver.request('a');
    disk.syncs = 0;
    await ledger.attemptById('id-of-a');
    await ledger.openNonces(LedgerDriver.lane);
    await ledger.state();
    expect((await driver.request('a')).applied).toBe(false);
    expect(disk.syncs).toBe(0);
  });

  it('commits of another process are returned only when they are on disk', async () => {
    other.exec('pragma synchronous = off; insert into canary (id, writes) values (1, 1)');
    await ledger.state();
    expect(disk.syncs).toBe(1);
    await ledger.state();
    expect(disk.syncs).toBe(1);
  });

  it('rejects all ledger calls that wait for a failed sync, and accepts calls again once the disk works', async () => {
    await driver.request('before');
    const goOn = disk.hold();
    disk.failure = Object.assign(new Error('i/o error'), { code: 'EIO' });
    const written = Promise.allSettled([driver.request('a'), driver.request('b')]);
    await untilVisible(3);
    const read = Promise.allSettled([ledger.attemptById('id-of-a')]);
    await untilVisible(3);
    goOn();
    for (const rejection of [...(await written), ...(await read)]) {
      expect(rejection.status).toBe('rejected');
      expect('reason' in rejection ? rejection.reason : null).toMatchObject({ causeCode: 'EIO' });
    }
    // Rows that may not be on disk are not returned, and no further rows are written.
    await expect(ledger.attemptById('id-of-a')).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(driver.request('c')).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(health.probe()).rejects.toMatchObject({ causeCode: 'EIO' });
    expect(visible()).toBe(3);

    disk.failure = null;
    disk.rewrites = 0;
    const before = readFileSync(`${file.path}-wal`);
    expect(await ledger.attemptById('id-of-a')).toMatchObject({ state: 'accepted' });
    expect(disk.rewrites).toBe(1);
    expect(before.length).toBeGreaterThan(0);
    expect(readFileSync(`${file.path}-wal`).equals(before)).toBe(true);
    await health.probe();
    expect(await driver.request('c')).toMatchObject({ applied: true });
    expect(disk.rewrites).toBe(1);
  });

  it('rewrites the write-ahead log only while no other process writes', async () => {
    disk.failure = Object.assign(new Error('i/o error'), { code: 'EIO' });
    await expect(driver.request('a')).rejects.toMatchObject({ causeCode: 'EIO' });
    disk.failure = null;
    other.exec('begin immediate');
    await expect(health.probe()).rejects.toMatchObject({ causeCode: 'SQLITE_BUSY' });
    other.exec('commit');
    await health.probe();
    other.exec('begin immediate; commit');
  });

  it('syncs the same file of the write-ahead log after the log was truncated', async () => {
    const logOf = (): number => statSync(`${file.path}-wal`).ino;
    const before = logOf();
    await driver.endWaiting(await driver.accepted('a'));
    expect(await ledger.redact(-1)).toBe(1);
    expect(statSync(`${file.path}-wal`).size).toBe(0);
    await driver.request('b');
    expect(logOf()).toBe(before);
  });

  it('a write-ahead log of several megabytes can be overwritten with its own content', async () => {
    other.exec('create table filler (bytes blob); insert into filler values (randomblob(3000000))');
    const before = readFileSync(`${file.path}-wal`);
    expect(before.length).toBeGreaterThan(3_000_000);
    disk.rewrite();
    expect(readFileSync(`${file.path}-wal`).equals(before)).toBe(true);
  });
});
