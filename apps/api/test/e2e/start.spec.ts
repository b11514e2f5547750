import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually, Service } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { PROGRAM } from './support/program.js';
import { Stack } from './support/stack.js';
import { good, vector } from './support/withdrawals.js';

const SMALL_WINDOW = { NONCE_WINDOW: '4', MAX_IN_FLIGHT_PER_LANE: '4' };

describe('a start', () => {
  let stack: Stack | undefined;
  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
  });

  it('a service that has started is ready and describes itself in its responses', async () => {
    stack = await Stack.start();
    await stack.service.ready();
    const { body } = await stack.service.get('/health/ready');
    const fine = { ok: true, code: null };
    expect(body).toEqual({
      status: 'ready',
      checks: {
        running: fine,
        store: fine,
        store_reads: fine,
        node: fine,
        head: fine,
        contracts: fine,
        ledger: fine,
        lanes: fine,
        prices: fine,
        verifier: fine,
        pool_verifiers: fine,
      },
    });
    expect((await stack.service.get('/health/live')).body).toEqual({ status: 'alive' });
    expect((await stack.service.get('/openapi.json')).body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
    });
  });

  it('a starting service waits for a node that sends no valid response, and logs that it waits', async () => {
    stack = await Stack.start({ cadence: 'manual' });
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    stack.chain.control.addFault({ method: '*', fault: { kind: 'html' }, times: 1_000 });
    const service = await stack.restart();
    const { status, body } = await service.get('/health/ready');
    expect([status, body]).toEqual([
      503,
      {
        status: 'not_ready',
        checks: expect.objectContaining({
          node: { ok: false, code: 'NODE_UNREACHABLE' },
          store: { ok: true, code: null },
        }),
      },
    ]);
    expect((await service.get('/health/live')).status).toBe(200);
    stack.chain.control.clearFaults();
    await service.ready();
  });

  it('a start fails if the chain of the node differs from the chain in the network profile', async () => {
    stack = await Stack.start({ cadence: 'manual' });
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    const profile: object = JSON.parse(
      readFileSync(join(stack.folder, 'network-profile.json'), 'utf8'),
    );
    const other = join(stack.folder, 'other-chain.json');
    writeFileSync(other, JSON.stringify({ ...profile, chainId: 'SN_MAIN' }));
    const service = await stack.restart({ NETWORK_PROFILE: other });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.output).toContain('WrongChain');
  });

  it('S14: the service is not ready while the pools’ verifier does not match the verification key', async () => {
    stack = await Stack.start({
      verificationKey: { ...vector.verificationKey, verifierClassHashes: ['0xbad'] },
    });
    const { service } = stack;
    const checks = async (): Promise<unknown> =>
      Object((await service.get('/health/ready')).body).checks;
    await eventually(
      'the verifier to be checked',
      async () => Object(await checks()).pool_verifiers.code === 'VERIFIER_CLASS_NOT_OF_KEY',
    );
    expect((await service.get('/health/ready')).status).toBe(503);
    expect(service.output).toContain('VERIFIER_CLASS_NOT_OF_KEY');
  });

  it('the command accept-ledger prints the setting that accepts an empty ledger', async () => {
    stack = await Stack.start({ cadence: 'manual' });
    const program = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
    const env = { PATH: process.env['PATH'], ...stack.environment, ACCEPT_EMPTY_LEDGER: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'accept-ledger'], {
      env,
    });
    const { lane1 } = sandboxWorld.accounts;
    const { nonce } = await stack.chain.lane();
    expect(stdout).toBe(
      `ACCEPT_EMPTY_LEDGER=${sandboxWorld.chainId}:${toFelt(lane1.address)}:${nonce}\n`,
    );
  });

  it('a service with an empty ledger sends nothing until the ledger is accepted', async () => {
    const lane = toFelt(sandboxWorld.accounts.lane1.address);
    const left = `${sandboxWorld.chainId}:${lane}:99`;
    stack = await Stack.start({
      env: { ACCEPT_EMPTY_LEDGER: left, MEMPOOL_LIFETIME_MS: '2000', ...SMALL_WINDOW },
    });
    const { service } = stack;
    await eventually('the ledger to be compared with its chain', async () => {
      const { checks } = Object((await service.get('/health/ready')).body);
      return checks.ledger.code === 'LEDGER_BEHIND_CHAIN';
    });
    expect(service.output).toContain(`ACCEPT_EMPTY_LEDGER=${sandboxWorld.chainId}:${lane}:`);
    const answer = await service.withdraw(good);
    expect([answer.status, answer.body]).toEqual([
      503,
      expect.objectContaining({ code: 'LEDGER_BEHIND_CHAIN' }),
    ]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(stack.chain.inclusions()).toEqual([]);

    // The service becomes ready automatically when every nonce that another copy may have used is
    // consumed.
    await eventually(
      'the service to be ready',
      async () => (await service.get('/health/ready')).status === 200,
    );
    expect((await service.withdraw(good)).body).toMatchObject({ execution_status: 'SUCCEEDED' });
  });

  it('a start fails and reports all errors of the configuration', async () => {
    const service = new Service({ program: PROGRAM, env: { PORT: 'x', MODE: 'production' } });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.output).toMatch(/^the configuration has problems:\n(?: {2}\w+: .+\n)+$/);
    expect(service.output).toContain('PORT: must be a whole number');
    expect(service.output).toContain('NETWORK_PROFILE: ');
  });

  it.each([
    ['api', 'RELAY_ACOUNTS', 'RELAY_ACCOUNTS'],
    ['keeper', 'RELAY_ACOUNTS', 'RELAY_ACCOUNTS'],
    ['signer', 'SIGNER_KEY', 'SIGNER_KEYS'],
  ])(
    'O5: a start with a misspelt setting of the %s logs a warning that names the misspelt variable',
    async (app, name, nearest) => {
      const program = new URL(`../../../${app}/dist/main.js`, import.meta.url).href;
      const service = new Service({ program, env: { [name]: 'marker', MODE: 'production' } });
      expect(await service.ended).toEqual({ code: 1, signal: null });
      expect(service.output).toContain(
        `warning: ${name} is not a setting; the nearest name is ${nearest}\n`,
      );
      expect(service.output).not.toContain('marker');
    },
  );

  it.each([['api'], ['keeper'], ['signer']])(
    'O5: a start of the %s logs no secret of its environment file',
    async (app) => {
      const folder = mkdtempSync(join(tmpdir(), 'sotto-env-'));
      const file = join(folder, 'secret.env');
      writeFileSync(
        file,
        'WEB_HOOKS=x\nMODE: hunter2SECRET?a=b\nMIIEvSECRETBASE64hunter2==\nMODE=production\n',
      );
      const program = new URL(`../../../${app}/dist/main.js`, import.meta.url).href;
      const service = new Service({ program, nodeOptions: [`--env-file=${file}`], env: {} });
      expect(await service.ended).toEqual({ code: 1, signal: null });
      rmSync(folder, { recursive: true });
      for (const warning of [
        'WEB_HOOKS is not a setting',
        'line 2 of the environment file is no setting: = must follow MODE',
        'line 3 of the environment file is no setting',
      ])
        expect(service.output).toContain(`warning: ${warning}\n`);
      expect(service.output).not.toMatch(/hunter2|SECRET/);
    },
  );

  it('O5: a running service logs no secret of its environment', async () => {
    stack = await Stack.start({ env: { 'LOG_LEVEL: hunter2SECRET': '1' } });
    await stack.service.ready();
    expect(stack.service.output).toMatch(/"level":"warn".*"name":null,"nearest":"LOG_LEVEL"/);
    expect(stack.service.output).not.toContain('hunter2SECRET');
  });

  it('O5: a running service logs the correct name of an optional setting whose name is misspelt', async () => {
    stack = await Stack.start({ env: { LOSS_BUDGET_PER_POL_FRI: '1' } });
    await stack.service.ready();
    expect(stack.service.output).toMatch(
      /"level":"warn".*"name":"LOSS_BUDGET_PER_POL_FRI","nearest":"LOSS_BUDGET_PER_POOL_FRI"/,
    );
  });
});
