import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { openPostgresStore, openSqliteStore } from '../../src/index.js';
import { describeWhere } from '../support/describe-where.js';
import {
  requested,
  describeWithPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';
import { migratedLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const FILL = fileURLToPath(new URL('../children/fill.mjs', import.meta.url));

const causeOf = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.causeCode : String(error)),
  );

describe('causes of failing writes to a SQLite store', () => {
  let file: TemporaryLedgerFile;
  beforeEach(async () => {
    file = await migratedLedgerFile();
  });
  afterEach(() => {
    file.remove();
  });

  /**
   * Runs the child process that fills a ledger, under a program that limits the disk space. Returns
   * the child's output.
   */
  async function filled(program: string, ...parameters: string[]): Promise<unknown> {
    const { stdout } = await promisify(execFile)(program, parameters, {
      env: { ...process.env, NODE: process.execPath, FILL, LEDGER: file.path },
    });
    return JSON.parse(stdout);
  }

  it('reports a file size limit as the cause of a failed write', async () => {
    // The limit of `ulimit -f` is in blocks of 512 bytes.
    expect(await filled('sh', '-c', 'ulimit -f 1500; exec "$NODE" "$FILL" "$LEDGER"')).toEqual({
      refused: 'SQLITE_IOERR_WRITE',
      probe: 'SQLITE_IOERR_WRITE',
      goodProbes: expect.any(Number),
    });
  });

  const MOUNT = 'mount -t tmpfs -o size=2m sotto';
  describeWhere('unshare and tmpfs', ['unshare', '-rm', 'sh', '-c', `${MOUNT} /mnt`], () => {
    it('reports a full disk as the cause of a failed write', async () => {
      const disk = join(file.directory, 'disk');
      mkdirSync(disk);
      const fill = `${MOUNT} "$1" && cp "$LEDGER" "$1/ledger.db" && exec "$NODE" "$FILL" "$1/ledger.db"`;
      expect(await filled('unshare', '-rm', 'sh', '-c', fill, 'sh', disk)).toEqual({
        refused: 'SQLITE_FULL',
        probe: expect.stringMatching(/^(?:SQLITE_FULL|ENOSPC)$/),
        goodProbes: 0,
      });
    });
  });

  describeWhere('strace', ['strace', '-f', '-o', '/dev/null', 'true'], () => {
    it('reports EIO as the cause of a failed write if the sync of the disk fails', async () => {
      // The fault begins at the 20th sync. The store has already been opened at that time.
      const failing = ['-f', '-o', '/dev/null', '-e', 'inject=fdatasync:error=EIO:when=20+'];
      const fill = 'UV_THREADPOOL_SIZE=1 exec strace "$@" "$NODE" "$FILL" "$LEDGER"';
      expect(await filled('sh', '-c', fill, 'sh', ...failing)).toEqual({
        refused: 'EIO',
        probe: 'EIO',
        goodProbes: 0,
      });
    });
  });

  it('reports whether a SQLite store is missing, no database, or locked by another process', async () => {
    const missing = join(file.directory, 'no', 'ledger.db');
    expect(await causeOf(openSqliteStore({ path: missing }))).toBe('ENOENT');
    expect(await causeOf(openSqliteStore({ path: file.directory }))).toBe('EISDIR');
    expect(await causeOf(openSqliteStore({ path: FILL }))).toBe('SQLITE_NOTADB');
    const { health, close } = await openSqliteStore({ path: file.path, busyTimeoutMs: 10 });
    const other = new DatabaseSync(file.path);
    other.exec('begin immediate');
    expect(await causeOf(health.probe())).toBe('SQLITE_BUSY');
    await close();
    expect(await causeOf(health.size())).toBe('ERR_INVALID_STATE');
    other.close();
  });

  it('reports a dropped table as the cause of a failed health check of the store', async () => {
    const { health, close } = await openSqliteStore({ path: file.path });
    const other = new DatabaseSync(file.path);
    other.exec('drop table canary');
    other.close();
    expect(await causeOf(health.probe())).toBe('SQLITE_ERROR');
    await close();
  });
});

describeWithPostgres('causes of failing writes to a PostgreSQL store', () => {
  let database: TemporaryDatabase;
  beforeEach(async () => {
    database = await temporaryDatabase();
  });
  afterEach(() => database.remove());

  it.each([
    ['a wrong password', () => database.url.replace(/:[0-9a-f]{32}@/, ':wrong@'), '28P01'],
    ['a database that is not there', () => database.url.replace(/\/\w+$/, '/absent'), '3D000'],
    ['a port without a server', () => 'postgres://user@127.0.0.1:1/x', 'ECONNREFUSED'],
  ])('reports why a PostgreSQL store cannot be opened: %s', async (_what, url, causeCode) => {
    expect(await causeOf(openPostgresStore({ url: url(), poolSize: 1 }))).toBe(causeCode);
  });
});

describeWithPostgres('failing PostgreSQL server', () => {
  let server: PostgresServer;
  afterEach(() => server.stop());

  async function serverWith(...settings: readonly string[]): Promise<string> {
    const found = findPostgres();
    if (found.kind === 'missing') throw new Error(found.reason);
    server = await PostgresServer.start(found, { settings });
    return server.createDatabase();
  }

  it('reports the cause of a failed call if a PostgreSQL server has no free connections', async () => {
    const url = await serverWith('max_connections=4', 'superuser_reserved_connections=0');
    const { ledger, close } = await openPostgresStore({ url, poolSize: 4 });
    // Eight concurrent calls that share no connection use the store's four connections, and the bus
    // needs one connection more. The server allows only four.
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => causeOf(ledger.calldata(`${index}`))),
    );
    expect(new Set(answers)).toEqual(new Set([null, '53300']));
    await close();
  });

  it('reports the cause of a failed call if a PostgreSQL server stops during a transaction', async () => {
    const url = await serverWith();
    const { ledger, health, close } = await openPostgresStore({ url, poolSize: 1 });
    await requested(
      url,
      `create function wait() returns trigger language plpgsql as $$ begin
        perform pg_sleep(60); return new; end $$;
      create trigger wait before insert on attempts for each row execute function wait()`,
    );
    const written = causeOf(new LedgerDriver(ledger).request('a'));
    const waiting = `select 1 from pg_stat_activity where wait_event = 'PgSleep'`;
    while ((await requested(url, waiting)).length === 0);
    await server.crash();
    expect(await written).toMatch(/^(?:ECONNRESET|CONNECTION_LOST|57P0[123])$/);
    expect(await causeOf(health.probe())).toBe('ECONNREFUSED');
    await close();
    expect(await causeOf(health.size())).toBe('STORE_CLOSED');
  });
});
