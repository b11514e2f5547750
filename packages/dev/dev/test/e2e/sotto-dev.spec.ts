import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Child, eventually, jsonLine, type Variables } from '@sotto/process-kit';
import { z } from 'zod';
import { connectDev, type DevDescription, type DevHelpers } from '../../src/index.js';

const PROGRAM = new URL('../../bundle/main.js', import.meta.url);
const RECIPIENT = '0x3d1f9b7a64c2e8055f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6';
const ORIGIN = { origin: 'https://wallet.example' };
const Announced = z.looseObject({ helpersUrl: z.url() });
const Result = z.object({ transaction_hash: z.string(), execution_status: z.string() });

let command: Child;
afterEach(() => command.stop());

function run(args: readonly string[], env: Variables = {}): Child {
  command = new Child({ name: 'sotto-dev', program: PROGRAM.href, args, env });
  return command;
}

async function started(env?: Variables): Promise<DevDescription & DevHelpers> {
  const { helpersUrl } = await run(['--port', '0', '--json'], env).line(jsonLine(Announced));
  return connectDev(helpersUrl);
}

function withdraw({ serviceUrl }: DevDescription, body: object): Promise<Response> {
  return fetch(`${serviceUrl}/api/relayer/withdraw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ORIGIN },
    body: JSON.stringify(body),
  });
}

async function wbtcOf({ nodeUrl, tokens }: DevDescription, owner: string): Promise<bigint> {
  const BALANCE_OF = '0x2e4263afad30923c891518314c3c95dbe830a16874e8abc5777a9a20b54c76e';
  const request = {
    contract_address: tokens.WBTC.address,
    entry_point_selector: BALANCE_OF,
    calldata: [owner],
  };
  const params = { request, block_id: 'pre_confirmed' };
  const response = await fetch(nodeUrl, {
    method: 'POST',
    headers: ORIGIN,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'starknet_call', params }),
  });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const { result } = z.object({ result: z.array(z.string()) }).parse(await response.json());
  return BigInt(result[0] ?? '');
}

async function isDown(...urls: readonly string[]): Promise<void> {
  for (const url of urls)
    await eventually(`${url} to be down`, () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    );
}

describe('sotto-dev', () => {
  it('sotto-dev accepts requests from web pages of any origin', async () => {
    const stack = await started();
    const { pools, serviceUrl } = stack;

    const body = await stack.readyWithdrawal({ recipient: RECIPIENT, fee: 600n });
    const answer = await withdraw(stack, body);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const relayed = Result.parse(await answer.json());
    expect(relayed.execution_status).toBe('SUCCEEDED');
    expect(await wbtcOf(stack, RECIPIENT)).toBe(pools.sentinel_1x.denomination - 600n);
    for (const path of ['/docs', '/docs/errors', '/docs/page.css'])
      expect([path, (await fetch(`${serviceUrl}${path}`)).status]).toEqual([path, 200]);

    const other = await stack.readyWithdrawal({ pool: 'stable_10', recipient: RECIPIENT });
    await stack.fault({ kind: 'node-down' });
    const refused = await withdraw(stack, other);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'NODE_UNAVAILABLE' }),
    ]);
    await stack.endFaults();
    await eventually('the node to be asked again', async () => {
      const response = await fetch(`${serviceUrl}/api/relayer/withdraw?dryRun=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(other),
      });
      return response.status === 200;
    });

    await stack.fault({ kind: 'next-transaction-reverts', reason: 'of a test' });
    expect(await (await withdraw(stack, other)).json()).toMatchObject({
      execution_status: 'REVERTED',
      revert_reason: expect.stringContaining('of a test'),
    });

    await stack.fault({ kind: 'service-down' });
    await expect(fetch(serviceUrl)).rejects.toThrow('fetch failed');
    await stack.endFaults();
    await stack.fault({ kind: 'service-restarts' });
    // The ledger is the same after the restart, so the same request returns the same transaction.
    expect(Result.parse(await (await withdraw(stack, body)).json())).toEqual(relayed);

    await command.stop('SIGTERM');
    expect(await command.ended).toEqual({ code: 0, signal: null });
    await isDown(serviceUrl, stack.nodeUrl, stack.helpersUrl);
    expect(existsSync(dirname(stack.serviceLog))).toBe(false);
  });

  it('sotto-dev ends all its processes and removes all its files when it is killed', async () => {
    const { serviceUrl, nodeUrl, helpersUrl, serviceLog } = await started();
    command.kill('SIGKILL');
    await isDown(serviceUrl, nodeUrl, helpersUrl);
    const folder = dirname(serviceLog);
    await eventually('its files to be gone', () => !existsSync(folder));
    expect(await command.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('sotto-dev exits immediately if it is interrupted during the start', async () => {
    run(['--port', '0', '--verbose']);
    await eventually('its start', () => command.output.includes('starting the service'));
    command.kill('SIGINT');
    expect(await command.ended).toEqual({ code: 130, signal: null });
    expect(command.output).not.toContain('ready');
  });

  it('sotto-dev prints an error and fails if the service ends unexpectedly', async () => {
    const stack = await started({ SOTTO_FAILPOINT: 'prepared', DATABASE_PATH: '/elsewhere' });
    const body = await stack.readyWithdrawal({ recipient: RECIPIENT });
    await expect(withdraw(stack, body)).rejects.toThrow('fetch failed');
    expect(await command.ended).toEqual({ code: 1, signal: null });
    expect(command.output).toContain('not used, because it is made here: DATABASE_PATH');
    expect(command.output).toContain('the service ended unexpectedly');
    // The files of the service remain for inspection.
    expect(readFileSync(stack.serviceLog, 'utf8')).toContain('listening');
    rmSync(dirname(stack.serviceLog), { recursive: true });
    await isDown(stack.nodeUrl, stack.helpersUrl);
  });

  it('the commands that sotto-dev prints for the user work', async () => {
    run(['--port', '0']);
    await eventually('its commands', () => command.output.includes('@withdrawal.json\n'));
    const commands = command.output.split('\n').filter((line) => line.startsWith('curl '));
    expect(commands).toHaveLength(2);
    const folder = mkdtempSync(join(tmpdir(), 'sotto-commands-'));
    const script = commands.join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder });
    rmSync(folder, { recursive: true });
    expect(Result.parse(JSON.parse(stdout)).execution_status).toBe('SUCCEEDED');
  });

  it('sotto-dev rejects an unknown option', async () => {
    run(['--ports', '1']);
    expect(await command.ended).toEqual({ code: 2, signal: null });
    expect(command.output).toContain("error: unknown option '--ports'");
  });

  it('sotto-dev --help prints its usage', async () => {
    run(['--help']);
    expect(await command.ended).toEqual({ code: 0, signal: null });
    expect(command.output).toContain('Usage: sotto-dev [options]');
  });
});
