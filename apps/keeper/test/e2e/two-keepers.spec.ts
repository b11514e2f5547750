import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPostgresStore, openSqliteStore, type OpenedStore } from '@sotto/adapter-store';
import { silentLogger } from '@sotto/kernel';
import {
  Service,
  Stack,
  eventually,
  hashInvoke,
  keyed,
  serviceEnvironment,
  type Variables,
} from '@sotto/process-kit';
import { buildGenesis, sandboxWorld, startSandbox, type Sandbox } from '@sotto/sandbox';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';

const { accounts, tokens, vaults } = sandboxWorld;
const PROGRAM = new URL('../../dist/main.js', import.meta.url).href;
const KEY_FILE = fileURLToPath(
  new URL('../../../../packages/wallet/prover/keys/verification_key.json', import.meta.url),
);
const NAMES = ['one', 'two'] as const;
const OPERATOR_TOKEN = 'token-of-the-operator';
const IDLE_SATS = 1_250_000n;

/** Environment variables of every process. */
const COMMON: Variables = {
  CURATOR_ACCOUNT: JSON.stringify(keyed(accounts.curator)),
  LEASE_TTL_MS: '1000',
  POLL_INTERVAL_MS: '50',
  IDLE_INTERVAL_MS: '200',
  NODE_TIMEOUT_MS: '120000',
  POLL_TIMEOUT_MS: '300000',
  RATE_LIMIT_READS_PER_MINUTE: '10000',
  RATE_LIMIT_QUOTES_PER_MINUTE: '10000',
  OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
  KEEPER_INTERVAL_MS: '200',
};
const OF_KEEPERS: Variables = {
  KEEPER_TASKS: 'curator',
  KEEPER_SUBJECTS: JSON.stringify({ curator: ['sentinel'] }),
  KEEPER_LEASE_TTL_MS: '1000',
  CURATOR_SETTLE_SECONDS: '0',
  CURATOR_COST_FACTOR: '1',
};

/** A store that several processes share, and a connection to it for the test. */
interface SharedStore {
  readonly env: Variables;
  open(): Promise<OpenedStore>;
  stop(): Promise<void>;
}

async function sqlite(folder: string): Promise<SharedStore> {
  const path = join(folder, 'ledger.sqlite');
  return {
    env: { DATABASE_PATH: path },
    open: () => openSqliteStore({ path }),
    stop: async () => {},
  };
}

async function postgres(): Promise<SharedStore> {
  if (found.kind === 'missing') throw new Error(found.reason);
  const server = await PostgresServer.start(found);
  const url = await server.createDatabase();
  return {
    env: { DATABASE_PATH: '', DATABASE_URL: url },
    open: () => openPostgresStore({ url, poolSize: 1, logger: silentLogger }),
    stop: () => server.stop(),
  };
}

const found = findPostgres();
const stores = [
  ['one SQLite file', sqlite],
  ...(found.kind === 'found' ? ([['one PostgreSQL', postgres]] as const) : []),
] as const;

describe.each(stores)('a service without tasks and two keepers on %s', (_name, startStore) => {
  const stops: (() => Promise<void>)[] = [];
  const keepers = new Map<string, Service>();
  let sandbox: Sandbox;
  let stack: Stack;
  let store: OpenedStore;
  let environment: Variables;

  beforeAll(async () => {
    const verificationKey: unknown = JSON.parse(readFileSync(KEY_FILE, 'utf8'));
    sandbox = await startSandbox({
      genesis: buildGenesis({ verificationKey }),
      cadence: { candidateMs: 10, preConfirmedMs: 30, blockMs: 120 },
      hashInvoke,
    });
    const folder = mkdtempSync(join(tmpdir(), 'sotto-keeper-'));
    const shared = await startStore(folder);
    stops.push(() => shared.stop());
    const settings = {
      networkProfile: createRequire(import.meta.url).resolve('@sotto/api/profiles/sandbox.json'),
      verificationKeyFile: KEY_FILE,
      databaseFile: '',
      rpcUrl: sandbox.rpcUrl,
      lanes: [accounts.lane1],
      feeAddress: '0xfee',
      instanceId: 'service',
    };
    environment = serviceEnvironment(settings, { ...COMMON, ...shared.env });
    stack = new Stack({
      program: import.meta.resolve('@sotto/api'),
      folder,
      environment,
      beneath: [sandbox],
    });
    stops.push(() => stack.stop());
    for (const name of NAMES) keepers.set(name, keeper({ INSTANCE_ID: name, METRICS_PORT: '0' }));
    stops.push(async () => {
      await Promise.all([...keepers.values()].map(({ process }) => process.stop('SIGKILL')));
    });
    stack.serve();
    for (const each of [...keepers.values(), stack.service]) {
      await each.listening();
      await each.ready();
    }
    store = await shared.open();
    stops.push(() => store.close());
  });
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  const keeper = (env: Variables): Service =>
    new Service({ program: PROGRAM, env: { ...environment, ...OF_KEEPERS, ...env } });

  /** Returns the name of the keeper that has the task's lease. */
  const holder = async (): Promise<string> => {
    const [held] = await store.taskLeases.holders();
    return held?.instance.replace(/^keeper-/, '') ?? '';
  };
  const task = async () => {
    const { body } = await stack.service.get('/api/keeper/status');
    return Object(body).tasks.find((each: { task: string }) => each.task === 'curator');
  };
  const operated = async () => {
    const authorized = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    return Object((await stack.service.get('/api/operator/status', authorized)).body).keeper;
  };
  /** Waits until the service reports alerts. */
  const alerted = () =>
    eventually('an alert', async () => {
      const { alerts } = await operated();
      return alerts.length > 0 && alerts;
    });
  const deployments = () =>
    sandbox.control.paidInclusions().filter(({ sender }) => sender === accounts.curator.address);
  const mint = () => sandbox.control.mint(vaults.sentinel.address, IDLE_SATS, tokens.WBTC.address);
  /**
   * Waits until the vault's funds were deployed this many times. Returns the vault's entry in the
   * service's status.
   */
  const deployed = (times: number) =>
    eventually(`${times} deployments, and nothing left to deploy`, async () => {
      const { subjects = [] } = (await task()) ?? {};
      const [sentinel] = subjects;
      // Without this condition, a status that was read before the first deployment would match too.
      if (sentinel?.reason !== 'BELOW_THRESHOLD' || sentinel.lastActed === null) return false;
      return deployments().length >= times && sentinel;
    });

  it('two keepers deploy a vault’s idle funds exactly once, and the service reports the deployment', async () => {
    mint();
    const sentinel = await deployed(1);
    expect(NAMES).toContain(await holder());
    expect(sentinel).toMatchObject({
      subject: 'sentinel',
      lastActed: { submission: expect.any(String) },
    });
    const { on, held } = await task();
    expect({ on, held }).toEqual({ on: false, held: true });
    const { alerts, tasks } = await operated();
    expect(alerts).toEqual([]);
    const { budget } = tasks.find((each: { task: string }) => each.task === 'curator');
    expect(BigInt(budget.hour.spentFri)).toBeGreaterThan(0n);
    expect(deployments().map(({ executionStatus }) => executionStatus)).toEqual(['SUCCEEDED']);
  });

  it('the second keeper continues the task if the keeper with the task’s lease is killed', async () => {
    const first = await holder();
    const killed = keepers.get(first);
    killed?.kill('SIGKILL');
    await killed?.ended;
    mint();
    await deployed(2);
    expect(await holder()).toBe(NAMES.find((name) => name !== first));
    expect(deployments().map(({ executionStatus }) => executionStatus)).toEqual([
      'SUCCEEDED',
      'SUCCEEDED',
    ]);
  });

  it('a keeper releases its task’s lease and exits with 0 on SIGTERM', async () => {
    const { lanes } = await store.ledger.state();
    // The service has the lease of the relay lane even if the keepers started first.
    expect(lanes.find(({ role }) => role === 'relay')?.leasedTo).toBe('service');
    const last = keepers.get(await holder());
    expect(await last?.metrics()).toContain('sotto_');
    expect((await last?.get('/api/keeper/status'))?.status).toBe(404);
    last?.kill('SIGTERM');
    expect(await last?.ended).toEqual({ code: 0, signal: null });
    expect(await store.taskLeases.holders()).toEqual([]);
    expect((await stack.service.get('/health/ready')).status).toBe(200);
  });

  it('the service alerts the operator that no keeper runs, even after a restart of the service', async () => {
    const alert = { task: 'curator', subject: null, reason: 'NOT_HELD', at: expect.any(Number) };
    expect(await alerted()).toMatchObject([alert]);
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    await (await stack.restart()).ready();
    expect(await alerted()).toMatchObject([alert]);
    expect(await task()).toMatchObject({ on: false, held: false });

    const next = keeper({ INSTANCE_ID: '' });
    stops.push(() => next.process.stop('SIGKILL'));
    await eventually('a keeper without a name to hold the task', async () => {
      return (await operated()).alerts.length === 0;
    });
    const [held] = await store.taskLeases.holders();
    expect(held?.instance).toMatch(/^keeper-.+#\d+-/);
  });
});
