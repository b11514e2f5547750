import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { findCause } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver, aSubmission } from '@sotto/submission-core/testing';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { openPostgresStore, type OpenedStore } from '../../src/index.js';
import { aTransfer } from '../a-transfer.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  migratedDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';

describeWithPostgres('PostgreSQL store', () => {
  let database: TemporaryDatabase;
  let opened: OpenedStore;
  beforeEach(async () => {
    database = await migratedDatabase();
    opened = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
  });
  afterEach(async () => {
    await opened.close();
    await database.remove();
  });

  it('a closed PostgreSQL store rejects calls, and can be closed twice', async () => {
    await opened.close();
    await expect(opened.ledger.lastAttempt('key')).rejects.toBeInstanceOf(LedgerUnavailable);
    await expect(new LedgerDriver(opened.ledger).request('a')).rejects.toBeInstanceOf(
      LedgerUnavailable,
    );
    await opened.close();
  });

  it('a PostgreSQL store completes the running calls before it closes', async () => {
    const driver = new LedgerDriver(opened.ledger);
    // There are more calls than connections, so some calls wait for a connection.
    const requests = Array.from({ length: 30 }, (_, index) => driver.request(`n${index}`));
    await opened.close();
    expect(await Promise.all(requests)).toEqual(
      requests.map(() => expect.objectContaining({ applied: true })),
    );
  });

  it('a PostgreSQL store opens no more connections than configured', async () => {
    const small = await openPostgresStore({ url: database.url, poolSize: 2 });
    const driver = new LedgerDriver(small.ledger);
    await Promise.all(Array.from({ length: 20 }, (_, index) => driver.request(`n${index}`)));
    await opened.close();
    const [counted] =
      await database.query(`select count(*)::int as sessions from pg_stat_activity where application_name = 'sotto'
      and datname = current_database()`);
    // The store has two connections for calls and one connection for notifications.
    expect(counted).toEqual({ sessions: 3 });
    await small.close();
  });

  it('the store loses no acknowledged data, regardless of the database’s default settings', async () => {
    const settings = {
      synchronous_commit: 'off',
      default_transaction_isolation: `'repeatable read'`,
      client_encoding: 'LATIN1',
    };
    for (const [name, value] of Object.entries(settings)) {
      await database.query(
        `do $$ begin execute 'alter database ' || current_database() || ' set ${name} = ${value.replaceAll("'", "''")}'; end $$`,
      );
    }
    await database.query(
      `create table seen (commits text, isolation text, statement text, idle text)`,
    );
    await database.query(`create function look() returns trigger language plpgsql as $$ begin
      insert into seen values (current_setting('synchronous_commit'), current_setting('transaction_isolation'),
        current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout'));
      return new; end $$`);
    await database.query(
      'create trigger look before insert on attempts for each row execute function look()',
    );
    const careful = await openPostgresStore({
      url: database.url,
      statementTimeoutMs: 7_000,
      poolSize: POOL_SIZE,
    });
    const terms = { ...aSubmission('a'), fingerprint: 'ünï名' };
    await careful.ledger.apply({ type: 'request', submission: terms });
    expect(await database.query('select * from seen')).toEqual([
      { commits: 'on', isolation: 'read committed', statement: '7s', idle: '7s' },
    ]);
    expect(await opened.ledger.attemptById(terms.id)).toMatchObject({ fingerprint: 'ünï名' });
    await careful.close();
  });

  it('a read with a name that contains a NUL character finds no row', async () => {
    expect(await opened.ledger.attemptById('\0')).toBeNull();
    expect(await opened.quotes.find('a\0b')).toBeNull();
    await opened.transfers.update('t\0', 1_000, () => aTransfer);
    expect(await opened.transfers.get('t\0')).toEqual(aTransfer);
  });

  it.each([
    ['an address that makes no sense', () => 'postgres://user:marker-password%@127.0.0.1/x'],
    ['a wrong password', () => database.url.replace(/:[0-9a-f]{32}@/, ':marker-password@')],
    ['a database that is not there', () => database.url.replace(/\/\w+$/, '/marker_database')],
    ['a port without a server', () => 'postgres://user:marker-password@127.0.0.1:1/x'],
  ])(
    'fails to open a store at %s, and the error does not contain the password',
    async (_what, url) => {
      const failure: unknown = await openPostgresStore({ url: url(), poolSize: POOL_SIZE }).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(LedgerUnavailable);
      const texts: string[] = [];
      findCause(failure, (error): error is never => {
        texts.push(
          error instanceof Error
            ? `${error.message} ${error.stack} ${JSON.stringify(error)}`
            : String(error),
        );
        return false;
      });
      expect(texts.join()).not.toContain('marker-password');
    },
  );
});

/** Resolves when a call has ended. Rejects if the call failed for another reason than its store. */
const endOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => {
    if (!(error instanceof LedgerUnavailable)) throw error;
  });

describeWithPostgres('PostgreSQL server that stops', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    const found = findPostgres();
    if (found.kind === 'missing') throw new Error(found.reason);
    server = await PostgresServer.start(found, { settings: ['fsync=on'] });
    url = await server.createDatabase();
  });
  afterAll(() => server.stop());

  it.each(['crash', 'halt'] as const)(
    'the store loses no acknowledged submission in a %s of the database server, and works again after the restart',
    async (end) => {
      const { ledger, close } = await openPostgresStore({
        url,
        connectTimeoutMs: 1_000,
        poolSize: POOL_SIZE,
      });
      const driver = new LedgerDriver(ledger);
      const names = Array.from({ length: 200 }, (_, index) => `${end}-${index}`);
      const requests = names.map((name) =>
        driver.request(name).then(
          () => name,
          (error: unknown) => {
            if (!(error instanceof LedgerUnavailable)) throw error;
            return null;
          },
        ),
      );
      await Promise.race(requests);
      // Each statement of a transaction fails. A rejection without a handler would end the process.
      const others = Array.from({ length: 100 }, (_, index) => [
        endOf(ledger.announce('one', [LedgerDriver.lane], 1_000)),
        endOf(ledger.reserve([`id-of-${end}-${index}`], 'one', 1_000)),
      ]).flat();
      await server[end]();
      await Promise.all(others);
      const acknowledged = (await Promise.all(requests)).filter((name) => name !== null);
      await expect(ledger.lastAttempt('unknown')).rejects.toBeInstanceOf(LedgerUnavailable);
      await server.startAgain();
      for (const name of acknowledged)
        expect(await ledger.attemptById(`id-of-${name}`)).toMatchObject({ state: 'accepted' });
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(await driver.request(`${end} is over`)).toMatchObject({ applied: true });
      await close();
    },
  );
});
