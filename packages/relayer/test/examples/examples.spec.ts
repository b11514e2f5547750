import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { createServer } from '../../examples/fastify-relay.js';
import { SqliteQuotes } from '../../examples/sqlite-quotes.js';
import { startJobs } from '../../examples/yields-and-curator.js';
import { createRelayer } from '../../src/index.js';
import { POOL, Site, accountOf, withdrawal } from '../support/site.js';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const { accounts, vaults, tokens } = sandboxWorld;
const pool = toFelt(POOL.address);

describe('the examples of another program around a relayer', () => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start();
  });
  afterAll(() => site.stop());

  it('the Fastify example relays a withdrawal and returns its outcome', async () => {
    const server = await createServer(site.options());
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const post = (body: object): Promise<Response> =>
      fetch(`${url}/withdraw`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const sent = await post({ poolAddress: pool, calldata: withdrawal(11n, 400n) });
    expect([sent.status, await sent.clone().text()]).toMatchObject([202, expect.any(String)]);
    const answer = await eventually('the execution', async () => {
      const response = await fetch(`${url}${sent.headers.get('location')}`);
      const found = Object(await response.json());
      return found.kind === 'executed' && found;
    });
    expect(answer).toMatchObject({ execution: 'SUCCEEDED' });
    expect(Object.keys(answer)).not.toContain('attempt');

    const low = await post({ poolAddress: pool, calldata: withdrawal(12n, 1n) });
    expect([low.status, await low.json()]).toEqual([422, { code: 'FEE_TOO_LOW' }]);
    expect((await post({ poolAddress: pool })).status).toBe(400);
    expect((await fetch(`${url}/submissions/none`)).status).toBe(404);
    await server.close();
  });

  it('the cron example prints yields and deploys idle funds of a vault', async () => {
    site.sandbox.control.mint(vaults.sentinel.address, 100_000n, tokens.WBTC.address);
    const lines: string[] = [];
    const stop = await startJobs(
      site.options({
        accounts: { relay: [accountOf(accounts.lane1)], curator: accountOf(accounts.curator) },
        staking: { rewardsUrl: site.sandbox.rewardsUrl },
      }),
      ['sentinel'],
      (line) => lines.push(line),
      '* * * * * *',
    );
    const kinds = await eventually('three kinds of lines', () => {
      const seen = new Set(lines.map((line) => line.replace(/\d+\.\d\d/, '…')));
      return (
        ['Vesu PRIME: … % a year', 'sentinel: deployed', 'sentinel: no_idle_funds'].every((kind) =>
          seen.has(kind),
        ) && [...seen]
      );
    });
    await stop();
    expect(kinds.filter((kind) => !/^[A-Z].*: … % a year$|^sentinel: /.test(kind))).toEqual([]);
  });

  it('the quote store in the examples passes the contract tests for quote stores, run by node:test', () => {
    const file = join(PACKAGE, 'examples', 'sqlite-quotes.test.mjs');
    const { stdout, status } = spawnSync(process.execPath, ['--test', file], {
      cwd: PACKAGE,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect({ status, passed: /^. pass (\d+)$/m.exec(stdout)?.[1] }).toEqual({
      status: 0,
      passed: '13',
    });
  });

  it('a relayer uses the quote store that the embedding program supplies', async () => {
    const database = new DatabaseSync(':memory:');
    const { store } = site.options();
    const relayer = await createRelayer(
      site.options({ store: { ...store, quotes: new SqliteQuotes(database) } }),
    );
    const { quote } = await relayer.issueQuote.execute({
      poolAddress: pool,
      operation: 'withdraw',
      leafIndex: null,
    });
    expect(database.prepare('select id from quotes').all()).toMatchObject([{ id: quote.id }]);
    await relayer.stop();
    expect(database.isOpen).toBe(true);
    database.close();
  });
});
