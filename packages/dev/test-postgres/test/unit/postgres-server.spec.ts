import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { PostgresServer, findPostgres } from '../../src/index.js';

const STARTER = fileURLToPath(new URL('../children/starter.mjs', import.meta.url));
const found = findPostgres();
const skipped = found.kind === 'missing' ? ` [skipped: ${found.reason}]` : '';

(found.kind === 'found' ? describe : describe.skip)(`a PostgreSQL for tests${skipped}`, () => {
  let server: PostgresServer | null = null;
  afterEach(async () => {
    await server?.stop();
    server = null;
  });

  const start = async (): Promise<PostgresServer> => {
    if (found.kind === 'missing') throw new Error(found.reason);
    server = await PostgresServer.start(found);
    return server;
  };
  it('a PostgreSQL test server has separate databases, and rejects logins without the password', async () => {
    const running = await start();
    const [one, other] = [await running.createDatabase(), await running.createDatabase()];
    await query(one, 'create table t (i int)');
    expect(await query(other, `select to_regclass('t')`)).toEqual([[null]]);
    await expect(query(one.replace(/:[0-9a-f]{32}@/, ':wrong@'), 'select 1')).rejects.toThrow(
      /password/,
    );
  });

  it.each(['crash', 'halt'] as const)(
    'committed data is available after a %s of the PostgreSQL test server',
    async (end) => {
      const running = await start();
      const url = await running.createDatabase();
      await query(url, 'create table t (i int)');
      await running[end]();
      await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
      await running.startAgain();
      expect(await query(url, 'select count(*)::int from t')).toEqual([[0]]);
    },
  );

  it('a PostgreSQL test server stops and deletes its files when the process that started it is killed', async () => {
    const starter = spawn(process.execPath, [STARTER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said]: unknown[] = await once(starter.stdout, 'data');
    const [url = '', folder = ''] = String(said).trim().split(' ');
    expect([existsSync(folder), await query(url, 'select 1')]).toEqual([true, [[1]]]);
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    while (await query(url, 'select 1').catch(() => false)) await sleep(50);
    while (existsSync(folder)) await sleep(50);
  });
});

async function query(url: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}
