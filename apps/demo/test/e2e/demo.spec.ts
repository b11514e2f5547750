import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { z } from 'zod';
import { DemoProcess } from '../support/demo-process.js';
import { expectFullShow, resultOf } from '../support/result-line.js';

const Answer = z.object({ transaction_hash: z.string(), execution_status: z.string() });
const DryRun = z.object({ admissible: z.boolean() });
const Listening = z.object({ url: z.url() });

describe('the demonstration', () => {
  let demo: DemoProcess | undefined;

  afterEach(async () => {
    await demo?.remove();
    demo = undefined;
  });

  it('the demonstration relays a real withdrawal, prints the result in one JSON line, and leaves no files', async () => {
    demo = await DemoProcess.start(['--once', '--json']);
    const { code } = await demo.ended;
    expect(code).toBe(0);
    expectFullShow(demo, { hasPrivacyPool: true });
    expect(await readdir(demo.stateFolder)).toEqual([]);
  });

  it('the demonstration prints all lines and fails if its withdrawal succeeds but its curator run fails', async () => {
    demo = await DemoProcess.start(['--once', '--json']);
    const [, rpcUrl] = await demo.says(/the sandbox chain is at (http:[^\s;]+)/);
    await control(rpcUrl, {
      action: 'setStorage',
      address: toFelt(sandboxWorld.vaults.sentinel.address),
      key: 'paused',
      value: '1',
    });

    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.stdout).toMatch(
      /^ {2}curator run +failed: \/api\/curator answered 422 SIMULATION_REVERTED: /m,
    );
    expect(demo.stdout).toMatch(/^ {2}bridge transfer .*5 steps completed/m);
    expect(demo.stderr).toContain('the curator run did not succeed');
    expect(resultOf(demo).execution_status).toBe('SUCCEEDED');
  });

  it('the demonstration fails with the revert reason if the withdrawal reverts', async () => {
    demo = await DemoProcess.start(['--once', '--json']);
    const [, rpcUrl] = await demo.says(/the sandbox chain is at (http:[^\s;]+)/);
    await demo.says(/proving the withdrawal/);
    await control(rpcUrl, { action: 'revertNext', reason: 'staged by a test' });

    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.stdout).toContain('REVERTED: ');
    const line = resultOf(demo);
    expect(line.execution_status).toBe('REVERTED');
    expect(line.feeSats).toBe(0n);
    expect(line.recipientAfter).toBe(line.recipientBefore);
    expect(demo.stderr).toContain('the withdrawal did not succeed');
  });

  it('the demonstration continues with a second withdrawal that the user can send', async () => {
    demo = await DemoProcess.start([]);
    const [, url] = await demo.prints(/curl -s -X POST (http:\S+)[^\n]*\n[^]*openapi\.json\n/);
    const baseUrl = new URL(url ?? '').origin;
    const [, submissionUrl] = await demo.prints(/curl -s (http:\S+\/submissions\/\S+)/);
    const body = await readFile(join(demo.stateFolder, 'withdrawal.json'), 'utf8');
    expect(demo.stdout).toContain(`-d @${join(demo.stateFolder, 'withdrawal.json')}`);

    const post = async (path: string): Promise<unknown> => {
      const response = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(200);
      return response.json();
    };
    expect(DryRun.parse(await post('/api/relayer/withdraw?dryRun=true')).admissible).toBe(true);
    const first = Answer.parse(await post('/api/relayer/withdraw'));
    expect(first.execution_status).toBe('SUCCEEDED');
    expect(Answer.parse(await post('/api/relayer/withdraw'))).toEqual(first);
    const submission = await fetch(submissionUrl ?? '');
    expect(Answer.parse(await submission.json()).execution_status).toBe('SUCCEEDED');
    const [, wallet] = await demo.prints(/(http:\S+\/wallet)\n/);
    const page = await fetch(wallet ?? '', { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('a wallet for development');
    const accounts = z.object({
      recipient: z.literal(toFelt(sandboxWorld.accounts.recipient3.address)),
    });
    accounts.parse(await (await fetch(`${wallet}/accounts.json`)).json());

    demo.kill('SIGINT');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    await expect(fetch(`${baseUrl}/health/live`)).rejects.toThrow('fetch failed');
  });

  it('the demonstration passes settings to the service, and lists ignored settings and token files', async () => {
    demo = await DemoProcess.start([], 0, {
      CORS_ORIGINS: 'https://page.example',
      CURATOR_API_TOKEN: 'token-of-the-caller',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://user:password@db.example/ledger',
    });
    const [, url] = await demo.prints(
      /^ {2}service, a page +(http:\S+)[^]*^ {2}lending rewards +http/m,
    );
    expect(demo.stderr).toContain(
      'HOST and DATABASE_URL are set, and not used: the development stack makes them itself\n',
    );
    // Before the first demonstration, only progress messages are printed.
    const [before = ''] = demo.stderr.split('sotto · making a note');
    for (const line of before.split('\n').slice(0, -1)) expect(line).toMatch(/^sotto · [^{]+$/);
    expect(before.replace('DATABASE_URL', '')).not.toMatch(/[A-Z]+_[A-Z]/);

    const origin = 'https://page.example';
    const docs = await fetch(`${url ?? ''}/docs`);
    const status = await fetch(`${url ?? ''}/status`, { headers: { origin } });
    expect([docs.status, status.status]).toEqual([200, 200]);
    expect(status.headers.get('access-control-allow-origin')).toBe(origin);

    // The curator run of the demonstration used the caller's API token. The route accepts it here
    // too.
    expect(demo.stdout).toMatch(/^ {2}curator run +sentinel: deployed/m);
    const curator = (token: string, vaultId = 'sentinel'): Promise<Response> =>
      fetch(`${url ?? ''}/api/curator`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ vaultId }),
      });
    for (const vault of Object.keys(sandboxWorld.vaults)) {
      const answer = await curator('token-of-the-caller', vault);
      expect({ vault, status: answer.status }).toEqual({ vault, status: 200 });
      expect(await answer.text()).toMatch(/"status":"(?:deployed|no_idle_funds)"/);
    }
    expect((await curator('another')).status).toBe(401);
    expect(await readdir(demo.stateFolder)).not.toContain('curator-token');

    // The printed command must work without changes.
    const [command] = await demo.prints(/^curl .*\/api\/operator\/status .*$/m);
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(JSON.parse(stdout)).toHaveProperty('pools');
    const tokenFile = join(demo.stateFolder, 'operator-token');
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);

    demo.kill('SIGINT');
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(await readdir(demo.stateFolder)).toEqual(['withdrawal.json']);
  });

  it('the demonstration reports an invalid setting that it passed to the service', async () => {
    demo = await DemoProcess.start(['--once'], 0, { CORS_ORIGINS: 'page.example' });
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.stderr).toContain('CORS_ORIGINS: must be origins separated by commas');
  });

  it('the demonstration’s child processes end when the demonstration is killed', async () => {
    demo = await DemoProcess.start([]);
    const [, rpcUrl] = await demo.says(/the sandbox chain is at (http:[^\s;]+)/);
    // The process is killed before the demonstrations. The demonstrations need long, and they start
    // no further child processes.
    await demo.says(/making a note/);
    const url = await serviceUrl(demo);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);

    demo.kill('SIGKILL');
    await demo.ended;
    await expect(isDownSoon(`${url}/health/live`)).resolves.toBe(true);
    await expect(isDownSoon(rpcUrl ?? '')).resolves.toBe(true);
  });

  it('the demonstration fails with a message if its port is in use', async () => {
    const holder = createServer();
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      demo = await DemoProcess.start(['--once'], port);
      expect(await demo.ended).toEqual({ code: 1, signal: null });
      expect(demo.stderr).toContain(`port ${port} is in use`);
      expect(demo.stdout).toBe('');
    } finally {
      holder.close();
      await once(holder, 'close');
    }
  });

  it('the demonstration fails with its usage text if an argument is unknown', async () => {
    demo = await DemoProcess.start(['--twice']);
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.stderr).toContain('usage: npm start');
  });
});

/**
 * Returns the service's URL from its log, because the demonstration prints the URL only at the end.
 */
async function serviceUrl({ stateFolder }: DemoProcess): Promise<string> {
  const run = (await readdir(stateFolder)).find((name) => name.startsWith('run-')) ?? '';
  const log = await readFile(join(stateFolder, run, 'service-1.log'), 'utf8');
  const line = log.split('\n').find((text) => text.includes('"message":"listening"'));
  return Listening.parse(JSON.parse(line ?? '{}')).url;
}

/** Sends a control command to the sandbox. */
async function control(rpcUrl: string | undefined, order: object): Promise<void> {
  const ordered = await fetch(`${rpcUrl ?? ''}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  expect(ordered.status).toBe(200);
}

/** Resolves with true when the server at this URL no longer responds. */
async function isDownSoon(url: string): Promise<boolean> {
  return eventually(`${url} to be down`, () =>
    fetch(url).then(
      () => false,
      () => true,
    ),
  );
}
