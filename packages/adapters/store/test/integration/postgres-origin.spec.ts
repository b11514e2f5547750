import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { openPostgresStore, type OpenedStore } from '../../src/index.js';
import { requested, describeWithPostgres } from '../support/postgres.js';

describeWithPostgres('T4: a PostgreSQL ledger', () => {
  let server: PostgresServer;
  afterEach(() => server.stop());

  async function serverWith(...settings: readonly string[]): Promise<string> {
    const found = findPostgres();
    if (found.kind === 'missing') throw new Error(found.reason);
    server = await PostgresServer.start(found, { settings });
    return server.createDatabase();
  }

  it('a ledger is marked as a possible copy after its PostgreSQL server has started another timeline', async () => {
    // If no archive is configured, the recovery uses only the server's own data. It ends like a
    // promotion, with a new timeline.
    const url = await serverWith('restore_command=false');
    const store = await openPostgresStore({ url, poolSize: 1 });
    expect(await since(store)).toBeNull();
    await server.halt();
    await server.startAgain();
    expect(await untilAnswered(() => since(store))).toBeNull();
    await server.halt();
    writeFileSync(join(server.folder, 'data', 'recovery.signal'), '');
    await server.startAgain();
    const sinceMs = await untilAnswered(() => since(store));
    expect(sinceMs).not.toBeNull();
    await store.close();
    const again = await openPostgresStore({ url, poolSize: 1 });
    expect(await since(again)).toBe(sinceMs);
    await again.ledger.clearPossibleCopy(sinceMs ?? 0);
    expect(await since(again)).toBeNull();
    await again.close();
  });

  it('a ledger is marked as a possible copy if it was moved to another PostgreSQL server', async () => {
    const url = await serverWith();
    await (await openPostgresStore({ url, poolSize: 1 })).close();
    const store = await openPostgresStore({ url, poolSize: 1 });
    expect(await since(store)).toBeNull();
    await requested(url, `update canary set origin = '7000000000000000000/00000001'`);
    expect(await since(store)).not.toBeNull();
    await store.close();
  });

  it('a ledger is not marked as a possible copy if the PostgreSQL server hides its identity from the database user', async () => {
    const url = await serverWith();
    await requested(url, 'revoke execute on function pg_control_system() from public');
    await requested(url, 'create role plain login password null');
    await requested(url, `alter role plain password 'plain'; grant all on schema public to plain`);
    const plain = url.replace(/tester:[0-9a-f]+@/, 'plain:plain@');
    const store = await openPostgresStore({ url: plain, poolSize: 1 });
    expect(await since(store)).toBeNull();
    await store.close();
  });
});

const since = async ({ ledger }: OpenedStore): Promise<number | null> =>
  (await ledger.state()).possibleCopySinceMs;

/**
 * Repeats a query until it succeeds. Each connection that was opened before the restart fails once.
 */
async function untilAnswered<T>(query: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      return await query();
    } catch {
      await new Promise(setImmediate);
    }
  }
  return query();
}
