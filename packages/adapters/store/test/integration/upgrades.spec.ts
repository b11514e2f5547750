import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock, toFelt } from '@sotto/kernel';
import type { Lane } from '@sotto/submission-core';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openPostgresStore, openSqliteStore, type OpenedStore } from '../../src/index.js';
import {
  frozenMigration,
  frozenMigrations,
  type FrozenMigration,
} from '../../src/migrations/frozen-migrations.js';
import type { StoreOptions } from '../../src/store.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  migratedDatabase,
  temporaryDatabase,
} from '../support/postgres.js';
import { migratedLedgerFile, temporaryLedgerFile } from '../temporary-ledger-file.js';

interface Database {
  readonly open: (options: StoreOptions) => Promise<OpenedStore>;
  readonly query: (statement: string) => Promise<readonly unknown[]>;
  readonly run: (statements: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

const LANE = toFelt(0x1an);
const HOUR_MS = 3_600_000;
/** Name of the migration that the newer release adds. */
const ADDING = '0098_adds';
/** Beginning of a statement that inserts the row of a process. */
const ROW = 'insert into instances (id, schema, seen_at_ms) values';
const ADDS = 'alter table "instances" add column "added" text;\n';

/**
 * Initial state of a test: a database without tables, or a database that this release has migrated.
 */
type Beginning = 'new' | 'migrated';

function describeUpgrades(
  dialect: 'sqlite' | 'postgres',
  start: (beginning: Beginning) => Promise<Database>,
): void {
  const ours = frozenMigrations(dialect);
  const schema = String(ours.at(-1)?.schema).padStart(4, '0');
  const compatible = [...ours, frozenMigration(ADDING, `-- Runs beside: ${schema}\n${ADDS}`)];
  const excluding = [...ours, frozenMigration(ADDING, `-- Runs beside: 0098\n${ADDS}`)];
  const waiting = (waitClock: WaitClock): StoreOptions => ({
    migrations: excluding,
    olderInstancesMs: 90_000,
    waitClock,
  });
  const older = (newest: string): readonly FrozenMigration[] =>
    ours.filter(({ name }) => name <= newest);

  let database: Database;
  let stores: OpenedStore[];
  beforeEach(async () => {
    database = await start('migrated');
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database.remove();
  });
  const open = async (instance: string, options: StoreOptions = {}): Promise<OpenedStore> => {
    const store = await database.open({ instance, olderInstancesMs: 0, ...options });
    stores.push(store);
    return store;
  };
  /** Starts an instance and runs its health check, which registers the instance. */
  const running = async (instance: string, options: StoreOptions = {}): Promise<OpenedStore> => {
    const store = await open(instance, { probeClock: unusedClock(), ...options });
    await store.health.probe();
    return store;
  };
  /** Creates the database of a release whose newest migration has this name. */
  const make = async (newest: string): Promise<void> => {
    await database.remove();
    database = await start('new');
    const applied = older(newest);
    await database.run(
      `${dialect === 'sqlite' ? 'pragma foreign_keys = off;' : ''}
        create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
        create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0);
        ${applied.flatMap(({ statements }) => statements).join(';\n')};
        insert into kysely_migration values ${applied.map(({ name, schema: number }) => `('${name}', '${new Date(number).toISOString()}')`).join()};
        insert into migration_hashes values ${applied.map(({ name, sha256 }) => `('${name}', '${sha256}')`).join()};`,
    );
  };

  it('O3: an older instance continues next to a newer release whose migrations permit the older release', async () => {
    const old = await running('old');
    const young = await running('young', { migrations: compatible });
    await old.health.probe();
    expect(await leases(old, 'old')).toMatchObject({ leasedTo: 'old' });
    await young.close();
    await old.close();
  });

  it('O3: an older release can start on a newer schema that permits it', async () => {
    await (await running('young', { migrations: compatible })).close();
    const old = await running('old');
    expect(await leases(old, 'old')).toMatchObject({ leasedTo: 'old' });
    expect(
      await database.query(`select runs_beside from migration_hashes where name = '${ADDING}'`),
    ).toEqual([{ runs_beside: Number(schema) }]);
  });

  it('O3 an older release cannot start on a newer schema that excludes this release', async () => {
    await (await running('young', { migrations: excluding })).close();
    await expect(open('old')).rejects.toMatchObject({
      code: 'SCHEMA_IS_NEWER',
      details: { unknownMigrations: ADDING },
    });
  });

  it('O3: an older instance stops writing once a newer release has excluded it', async () => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (fields: unknown) => void errors.push(fields) };
    // An instance that has never run a probe is not registered, so the newer release does not
    // detect this instance.
    const old = await open('old', { logger, probeClock: unusedClock() });
    await running('young', { migrations: excluding });
    const newer = { causeCode: 'SCHEMA_IS_NEWER', details: { unknownMigrations: ADDING } };
    await expect(old.health.probe()).rejects.toMatchObject(newer);
    await expect(old.health.probe()).rejects.toMatchObject(newer);
    await expect(old.ledger.lease(LANE, 'old', HOUR_MS)).rejects.toMatchObject(newer);
    await expect(old.ledger.renew(LANE, 'old', 1n, HOUR_MS)).rejects.toMatchObject(newer);
    expect(await old.ledger.countWaiting('relay')).toBe(0);
    expect(errors).toEqual([{ unknownMigrations: ADDING }]);
    expect(await database.query(`select id from instances`)).toEqual([{ id: 'young' }]);
  });

  it('O3 an older instance writes again after the excluding migration was reverted', async () => {
    const old = await open('old', { probeClock: unusedClock() });
    await running('young', { migrations: excluding });
    await expect(old.health.probe()).rejects.toMatchObject({ causeCode: 'SCHEMA_IS_NEWER' });
    await database.query(`delete from kysely_migration where name = '${ADDING}'`);
    await old.health.probe();
    expect(await leases(old, 'old')).toMatchObject({ leasedTo: 'old' });
  });

  it('O3 a migration is not applied while an instance that it excludes is running', async () => {
    const old = await running('old');
    await expect(open('young', { migrations: excluding })).rejects.toMatchObject({
      code: 'OLDER_INSTANCES_RUN',
      details: { migration: ADDING, instances: 'old' },
    });
    await old.health.probe();
    expect(await leases(old, 'old')).toMatchObject({ leasedTo: 'old' });
  });

  it('O3: a migration waits until the instances that it excludes have stopped', async () => {
    const old = await running('old');
    const waited: unknown[] = [];
    const young = await running('young', {
      migrations: excluding,
      olderInstancesMs: HOUR_MS,
      logger: {
        ...silentLogger,
        warn(fields, message) {
          waited.push([fields, message]);
          void old.close();
        },
      },
    });
    expect(await leases(young, 'young')).toMatchObject({ leasedTo: 'young' });
    expect(waited).toEqual([
      [
        { migration: ADDING, instances: 'old', limitMs: HOUR_MS },
        'waiting for instances of an older release to stop',
      ],
    ]);
  });

  it('O3 a migration waits 3 s if the row of a killed instance is old', async () => {
    await (await running('old')).close();
    await database.query(`${ROW} ('killed', 26, ${systemClock.nowMs() - 20_000})`);
    const clock = new WaitClock();
    await running('young', waiting(clock));
    expect(clock.monotonicMs()).toBe(3_000);
  });

  it('O3: a migration waits only 3 s for the old row of the starting instance itself', async () => {
    await (await running('old')).close();
    await database.query(`${ROW} ('young', 26, ${systemClock.nowMs()})`);
    const clock = new WaitClock();
    const young = await running('young', waiting(clock));
    expect(await leases(young, 'young')).toMatchObject({ leasedTo: 'young' });
    expect(clock.monotonicMs()).toBe(3_000);
  });

  it('O3 rejects the start of an instance if another running process uses its instance name', async () => {
    await (await running('old')).close();
    const now = systemClock.nowMs();
    await database.query(`${ROW} ('young', 26, ${now})`);
    const renewed = new WaitClock(async (ms) => {
      await database.query(`update instances set seen_at_ms = ${now + ms}`);
    });
    await expect(
      open('young', { ...waiting(renewed), olderInstancesMs: 5_000 }),
    ).rejects.toMatchObject({
      code: 'OLDER_INSTANCES_RUN',
      message: expect.stringMatching(/Another process has the INSTANCE_ID of this one, young\.$/),
      details: { instances: 'young', sharedInstanceId: 'young' },
    });
  });

  it.each(['a minute ahead', 'a minute behind'])(
    'O3: a migration waits for a running instance whose clock is %s until 15 s after the last renewal of its row',
    async (difference) => {
      await (await running('old')).close();
      const sign = difference === 'a minute ahead' ? 1 : -1;
      const now = systemClock.nowMs();
      const seen = (ms: number): Promise<unknown> =>
        database.query(
          `update instances set seen_at_ms = ${now + sign * 60_000 + ms} where id = 'off'`,
        );
      await database.query(`${ROW} ('off', 26, 1)`);
      await seen(0);
      const clock = new WaitClock(async (ms) => ms <= 2_000 && seen(ms));
      await running('young', waiting(clock));
      expect(clock.monotonicMs()).toBe(17_000);
    },
  );

  it('O3: a migration waits for the full duration of a lease if the start of the lease is in the future', async () => {
    await make('0025_possible_copies');
    const later = systemClock.nowMs() + HOUR_MS;
    await database.query(
      `insert into lanes (address, role, leased_to, fence, lease_until_ms, leased_at_ms) values ('${LANE}', 'relay', 'before', 1, ${later + 30_000}, ${later})`,
    );
    await expect(open('young')).rejects.toMatchObject({
      code: 'OLDER_INSTANCES_RUN',
      details: { instances: 'before' },
    });
    const clock = new WaitClock();
    await running('young', { waitClock: clock, olderInstancesMs: 90_000 });
    expect(clock.monotonicMs()).toBe(30_000);
  });

  it('O3: an older instance detects an excluding migration even if its own newest migration has a higher name', async () => {
    const old = await open('old', { probeClock: unusedClock() });
    await database.run(`insert into kysely_migration values ('0025_zz', 'now')`);
    await expect(old.health.probe()).rejects.toMatchObject({
      causeCode: 'SCHEMA_IS_NEWER',
      details: { unknownMigrations: '0025_zz' },
    });
    await expect(open('older')).rejects.toMatchObject({ code: 'SCHEMA_IS_NEWER' });
  });

  it.each(['0024_swap_bounds', '0025_possible_copies'])(
    'O3 a database of %s is migrated once the leases of its processes have expired',
    async (newest) => {
      await make(newest);
      const now = systemClock.nowMs();
      await database.query(
        `insert into lanes (address, role, leased_to, fence, lease_until_ms, leased_at_ms) values ('${LANE}', 'relay', 'before', 1, ${now + HOUR_MS}, ${now - 1_000})`,
      );
      await expect(open('young')).rejects.toMatchObject({
        code: 'OLDER_INSTANCES_RUN',
        details: { instances: 'before' },
      });
      expect(await database.query('select name from kysely_migration')).toHaveLength(
        older(newest).length,
      );
      await database.query(`update lanes set leased_to = null`);
      const young = await running('young');
      expect(await leases(young, 'young')).toMatchObject({ leasedTo: 'young', fence: 2n });
    },
  );

  it('O3: a migration does not wait for a lease of a holder with the starting instance’s name', async () => {
    await make('0025_possible_copies');
    const now = systemClock.nowMs();
    await database.query(
      `insert into lanes (address, role, leased_to, fence, lease_until_ms, leased_at_ms) values ('${LANE}', 'relay', 'name', 1, ${now + HOUR_MS}, ${now - 1_000})`,
    );
    const young = await running('name');
    expect(await leases(young, 'name')).toMatchObject({ fence: 2n });
  });
}

async function leases({ ledger }: OpenedStore, instance: string): Promise<Lane | null> {
  await ledger.registerLane(LANE, 'relay');
  return ledger.lease(LANE, instance, HOUR_MS);
}

/** Returns a clock that advances at each query, so that each health check makes a new probe. */
function unusedClock(): { readonly monotonicMs: () => number } {
  let nowMs = 0;
  return { monotonicMs: () => (nowMs += HOUR_MS) };
}

/** Clock that advances only during waits. */
class WaitClock {
  #ms = 0;

  /**
   * @param after called for each wait with the current time in milliseconds, to change the database
   */
  constructor(private readonly after: (ms: number) => Promise<unknown> = async () => undefined) {}

  monotonicMs(): number {
    return this.#ms;
  }

  async sleep(ms: number): Promise<void> {
    this.#ms += ms;
    await this.after(this.#ms);
  }
}

describe('upgrade of a SQLite file', () => {
  describeUpgrades('sqlite', async (beginning) => {
    const file = beginning === 'new' ? temporaryLedgerFile() : await migratedLedgerFile();
    return {
      open: (options) => openSqliteStore({ ...options, path: file.path }),
      async query(statement) {
        const connection = new DatabaseSync(file.path);
        const rows = connection.prepare(statement).all();
        connection.close();
        return rows.map((row) => ({ ...row }));
      },
      async run(statements) {
        const connection = new DatabaseSync(file.path);
        connection.exec(statements);
        connection.close();
      },
      remove: async () => file.remove(),
    };
  });

  it('O3: an older instance writes nothing to a SQLite file after a migration has excluded this instance', async () => {
    const file = temporaryLedgerFile();
    const old = await openSqliteStore({ path: file.path });
    await old.health.probe();
    await new LedgerDriver(old.ledger).request('a');
    const connection = new DatabaseSync(file.path);
    connection.exec(`insert into kysely_migration values ('${ADDING}', 'now')`);
    await expect(new LedgerDriver(old.ledger).request('b')).rejects.toMatchObject({
      causeCode: 'SCHEMA_IS_NEWER',
      details: { unknownMigrations: ADDING },
    });
    await expect(old.ledger.lease(LANE, 'old', HOUR_MS)).rejects.toMatchObject({
      causeCode: 'SCHEMA_IS_NEWER',
    });
    expect(connection.prepare('select id from attempts').all()).toMatchObject([{ id: 'id-of-a' }]);
    connection.close();
    await old.close();
    file.remove();
  });
});

describeWithPostgres('upgrade of a PostgreSQL database', () => {
  describeUpgrades('postgres', async (beginning) => {
    const database = await (beginning === 'new' ? temporaryDatabase() : migratedDatabase());
    return {
      open: (options) => openPostgresStore({ ...options, url: database.url, poolSize: POOL_SIZE }),
      query: (statement) => database.query(statement),
      run: async (statements) => void (await database.query(statements)),
      remove: () => database.remove(),
    };
  });
});
