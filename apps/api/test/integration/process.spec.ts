import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { buildGenesis, sandboxWorld, startSandbox, type Sandbox } from '@sotto/sandbox';
import { z } from 'zod';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const VERIFICATION_KEY = fileURLToPath(new URL('../../../../packages/circuits/keys/verification_key.json', import.meta.url));
const SANDBOX_PROFILE = fileURLToPath(new URL('../../profiles/sandbox.json', import.meta.url));

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
}

function run(env: Readonly<Record<string, string>>, nodeArguments: readonly string[] = []): Run {
  const child = spawn(process.execPath, [...nodeArguments, MAIN], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const exit = once(child, 'close').then(([code]): number | null => (typeof code === 'number' ? code : null));
  return { child, output: () => chunks.join(''), exit };
}

async function readyAt(url: string): Promise<unknown> {
  for (let tries = 0; tries < 100; tries += 1) {
    const response = await fetch(`${url}/health/ready`);
    if (response.ok) return response.json();
    await response.text();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the service did not become ready');
}

describe('the process', () => {
  let folder: string;
  let sandbox: Sandbox;
  let current: Run | undefined;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-'));
    const verificationKey: unknown = JSON.parse(readFileSync(VERIFICATION_KEY, 'utf8'));
    sandbox = await startSandbox({ genesis: buildGenesis({ verificationKey }) });
  });
  afterEach(async () => {
    current?.child.kill('SIGKILL');
    await current?.exit;
    current = undefined;
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  });

  function environment(chainId: string = sandboxWorld.chainId): Readonly<Record<string, string>> {
    const { accounts } = sandboxWorld;
    const profile = { ...z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(SANDBOX_PROFILE, 'utf8'))), chainId };
    writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile));
    return {
      MODE: 'development',
      PORT: '0',
      VERIFICATION_KEY_PATH: VERIFICATION_KEY,
      STARKNET_RPC_URL: sandbox.rpcUrl,
      NETWORK_PROFILE: join(folder, 'profile.json'),
      RELAY_ACCOUNTS: JSON.stringify([{ address: toFelt(accounts.lane1.address), privateKey: toFelt(accounts.lane1.privateKey) }]),
      DATABASE_PATH: join(folder, 'ledger.sqlite'),
    };
  }

  async function urlOf({ child, output }: Run): Promise<string> {
    if (child.stdout === null) throw new Error('the process has no output');
    for await (const line of createInterface(child.stdout)) {
      const logged: { message?: string; url?: string } = JSON.parse(line);
      if (logged.message === 'listening' && logged.url !== undefined) return logged.url;
    }
    throw new Error(`the process ended: ${output()}`);
  }

  it('comes up, gets ready, refuses what it cannot relay, and ends with 0 on SIGTERM', async () => {
    current = run(environment());
    const url = await urlOf(current);
    expect(await readyAt(url)).toMatchObject({ status: 'ready' });

    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ poolAddress: '0x1', calldata: ['0x1'] });
    const refusal = await fetch(`${url}/api/relayer/withdraw`, { method: 'POST', headers, body });
    expect([refusal.status, await refusal.json()]).toEqual([404, expect.objectContaining({ code: 'POOL_NOT_SUPPORTED' })]);

    current.child.kill('SIGTERM');
    expect(await current.exit).toBe(0);
    expect(current.output()).toContain('"message":"stopped"');
    expect(current.output()).not.toContain(toFelt(sandboxWorld.accounts.lane1.privateKey).slice(2));
  });

  it('ends with an error when the node serves another chain', async () => {
    current = run(environment('SN_MAIN'));
    expect(await current.exit).toBe(1);
    expect(current.output()).toContain('WrongChain');
  });

  it('logs an error that nobody caught and ends with an error', async () => {
    const planted = `import { isMainThread } from 'node:worker_threads';
      if (isMainThread) process.on('SIGUSR2', () => { throw new RangeError('planted'); });`;
    current = run(environment(), ['--import', `data:text/javascript,${encodeURIComponent(planted)}`]);
    await urlOf(current);
    current.child.kill('SIGUSR2');
    expect(await current.exit).toBe(1);
    expect(current.output()).toMatch(/"level":"error".*"name":"RangeError".*"message":"uncaught error"/);
  });

  it('prints what is wrong with its configuration and ends with an error', async () => {
    current = run({ PORT: 'x', MODE: 'production' });
    expect(await current.exit).toBe(1);
    expect(current.output()).toMatch(/^the configuration has problems:\n(?: {2}\w+: .+\n)+$/);
    expect(current.output()).toContain('PORT: must be a whole number');
  });
});
