import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually, keyed, type Service, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { trapdoorKey } from '@sotto/load-kit';
import { Client } from 'pg';
import { Load, fillPool, timesPaid } from './support/load.js';
import { NextRelease } from './support/next-release.js';
import { Stack } from './support/stack.js';

const { lane1, lane2 } = sandboxWorld.accounts;
/**
 * File to which numbers of requests and failures and the longest gap are written. Undefined writes
 * no file.
 */
const REPORT = process.env['SOTTO_UPGRADES_REPORT'];
const CALLERS = 4;
/** Number of withdrawals that must succeed in each phase. */
const SUCCESSES = 6;
const TIMEOUT_MS = 300_000;
const MIGRATIONS = new URL('../../../../packages/adapters/store/migrations/', import.meta.url);
/** Newest migrations of the two schemas from which an upgrade to the present schema is tested. */
const LANDED = ['0024_swap_bounds', '0025_possible_copies'];
const OLD = 'old';

const names = readdirSync(MIGRATIONS)
  .flatMap((name) => (name.endsWith('.postgres.sql') ? [name.slice(0, -13)] : []))
  .toSorted();
const schema = (names.at(-1) ?? '').slice(0, 4);

const found = findPostgres();
const title = 'an upgrade under load';

(found.kind === 'found' ? describe : describe.skip)(
  found.kind === 'found' ? title : `${title} [skipped: ${found.reason}]`,
  () => {
    let server: PostgresServer;
    const reports: Record<string, object> = {};
    beforeAll(async () => {
      if (found.kind === 'missing') throw new Error(found.reason);
      server = await PostgresServer.start(found, { settings: [] });
    });
    afterAll(async () => {
      await server.stop();
      if (REPORT !== undefined) writeFileSync(REPORT, `${JSON.stringify(reports, null, 2)}\n`);
    });

    const stops: (() => Promise<void> | void)[] = [];
    afterEach(async () => {
      for (const stop of stops.splice(0).toReversed()) await stop();
    });

    /** Creates a service with this database, and the load for its running instances. */
    async function stage(url: string, isStarted = true): Promise<Staged> {
      const stack = await Stack.start({
        verificationKey: trapdoorKey,
        genesis: { enforceNullifier: false },
        isStarted,
        env: {
          DATABASE_PATH: '',
          DATABASE_URL: url,
          INSTANCE_ID: OLD,
          RELAY_ACCOUNTS: JSON.stringify([lane1, lane2].map(keyed)),
          LEASE_TTL_MS: '3000',
          POLL_INTERVAL_MS: '200',
          IDLE_INTERVAL_MS: '500',
        },
      });
      stops.push(() => stack.stop());
      fillPool(stack.chain);
      const staged = new Staged(stack);
      stops.push(() => staged.stop());
      return staged;
    }

    /** Ends the load and expects that each withdrawal was paid exactly once. */
    async function settled(name: string, { stack, load }: Staged): Promise<void> {
      await load.end();
      const indices = [...load.succeeded.keys()];
      for (const index of indices)
        expect([index, await timesPaid(stack.chain, index)]).toEqual([index, 1]);
      reports[name] = {
        requests: load.requests,
        failures: load.requests - indices.length,
        // Number of attempts that callers made while no instance was listening.
        waits: load.turnedAway - (load.requests - indices.length),
        longestGapMs: Math.round(load.longestGapMs),
      };
    }

    it(
      'O3: instances can be upgraded one after another if the newer schema allows the older release',
      async () => {
        const staged = await stage(await server.createDatabase());
        const next = new NextRelease('9998_adds', schema);
        stops.push(() => next.remove());
        const { load, stack } = staged;
        staged.use(stack.service);
        load.start(CALLERS);
        await staged.successes();

        const young = next.start(staged.variables('young'));
        await staged.add(young);
        await staged.successes();
        await staged.end(stack.service);
        await staged.successes();

        const again = stack.another({ INSTANCE_ID: 'old-again' });
        await staged.add(again);
        await staged.successes();
        await staged.end(young);
        await staged.successes();
        expect(again.isRunning).toBe(true);
        await settled('compatible: rolling upgrade and rollback', staged);
      },
      TIMEOUT_MS,
    );

    it(
      'O3: a new instance waits until the running instances that its schema excludes have stopped',
      async () => {
        const staged = await stage(await server.createDatabase());
        const next = new NextRelease('9999_excludes', '9999');
        stops.push(() => next.remove());
        const { load, stack } = staged;
        staged.use(stack.service);
        load.start(CALLERS);
        await staged.successes();

        const young = next.start(staged.variables('young'));
        staged.keep(young);
        await young.process.line((line) =>
          line.includes('waiting for instances of an older release to stop') ? line : undefined,
        );
        // The instance of the old release still works.
        await staged.successes();
        await staged.end(stack.service);
        await young.listening();
        staged.use(young);
        await staged.successes();

        const late = stack.another({ INSTANCE_ID: 'late' });
        staged.keep(late);
        expect(await late.ended).toMatchObject({ code: 1 });
        expect(late.output).toContain('SCHEMA_IS_NEWER');
        expect(late.output).toContain(next.migration);
        await staged.successes();
        await settled('excluding: the old instance ends first', staged);
      },
      TIMEOUT_MS,
    );

    it(
      'O3: a running instance becomes unready if a newer schema excludes it',
      async () => {
        const url = await server.createDatabase();
        const { stack } = await stage(url);
        await stack.service.ready();
        await requested(
          url,
          `insert into kysely_migration values ('9999_excludes', '2099-01-01T00:00:00.000Z')`,
        );
        const checks = await eventually('the instance to be unready', async () => {
          const answer = await stack.service.get('/health/ready');
          return answer.status === 503 ? Object(answer.body).checks : undefined;
        });
        expect(checks.store).toEqual({ ok: false, code: 'SCHEMA_IS_NEWER' });
        expect((await stack.service.get('/health/serving')).status).toBe(200);
        await requested(url, `delete from kysely_migration where name = '9999_excludes'`);
        await stack.service.ready();
      },
      TIMEOUT_MS,
    );

    it.each(LANDED)(
      'O3: an upgrade of a database with schema %s waits until the last lease has ended',
      async (landed) => {
        const url = await server.createDatabase();
        await makeSchema(url, landed);
        await requested(
          url,
          `insert into lanes (address, role, leased_to, fence, lease_until_ms, leased_at_ms)
            select '${toFelt(lane1.address)}', 'relay', 'before', 1, ms + 3600000, ms
            from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms) as now`,
        );
        const staged = await stage(url, false);
        const { load, stack } = staged;
        load.start(CALLERS);
        const service = stack.serve();
        await service.process.line((line) =>
          line.includes('waiting for instances of an older release to stop') ? line : undefined,
        );
        await requested(url, 'update lanes set leased_to = null, lease_until_ms = 0');
        await service.listening();
        staged.use(service);
        await staged.successes();
        expect((await service.get('/health/ready')).status).toBe(200);
        await settled(`from ${landed}`, staged);
      },
      TIMEOUT_MS,
    );
  },
);

/** A stack, the load, and the instances to which the load sends requests. */
class Staged {
  readonly #requested = new Set<Service>();
  readonly #kept = new Set<Service>();
  readonly load = new Load(() => [...this.#requested].filter(({ isRunning }) => isRunning));

  constructor(readonly stack: Stack) {}

  variables(instance: string): Variables {
    return { ...this.stack.environment, INSTANCE_ID: instance };
  }

  /** Adds a listening instance to those that receive the load's requests. */
  use(service: Service): void {
    this.keep(service);
    this.#requested.add(service);
  }

  /** Ensures that this process is stopped when the stage stops. */
  keep(service: Service): void {
    this.#kept.add(service);
  }

  async add(service: Service): Promise<void> {
    this.keep(service);
    await service.listening();
    await service.ready();
    this.#requested.add(service);
  }

  /** Removes an instance from those that receive the load's requests, then stops the instance. */
  async end(service: Service): Promise<void> {
    this.#requested.delete(service);
    await service.process.stop();
  }

  async successes(): Promise<void> {
    const enough = this.load.succeeded.size + SUCCESSES;
    await eventually('withdrawals to succeed', () => this.load.succeeded.size >= enough);
  }

  async stop(): Promise<void> {
    this.load.abandon();
    await Promise.all([...this.#kept].map((service) => service.process.stop('SIGKILL')));
  }
}

async function requested(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a database in the state of a release whose newest migration is `newest`. */
async function makeSchema(url: string, newest: string): Promise<void> {
  await requested(
    url,
    `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
      create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);`,
  );
  const applied = names
    .filter((name) => name <= newest)
    .map((name) => ({
      name,
      text: readFileSync(new URL(`${name}.postgres.sql`, MIGRATIONS), 'utf8'),
    }));
  for (const [index, { name, text }] of applied.entries()) {
    const at = new Date(index * 1_000).toISOString();
    await requested(url, `${text}; insert into kysely_migration values ('${name}', '${at}')`);
  }
  for (const { name, text } of applied) {
    const sha256 = createHash('sha256').update(text).digest('hex');
    await requested(url, `insert into migration_hashes values ('${name}', '${sha256}')`);
  }
}
