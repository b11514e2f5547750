import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFaultProxy, type FaultOrder, type FaultProxy } from '@sotto/fault-proxy';
import type { Service, Variables } from '@sotto/process-kit';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { Client } from 'pg';
import { Callers } from '../crash/callers.js';
import { Stack } from '../stack/stack.js';
import type { Alerting } from './alerts.js';
import { FaultShim } from './fault-shim.js';
import { OPERATOR_TOKEN } from './look.js';
import { TcpProxy } from './tcp-proxy.js';

const HOOKS = new URL('./service-hooks.js', import.meta.url).href;
const POSTGRES_CONNECTIONS = 20;

/** Times of a chain of seconds, so that a case lasts less than a minute. Health is as it ships. */
const ENVIRONMENT: Variables = {
  POLL_INTERVAL_MS: '100',
  IDLE_INTERVAL_MS: '300',
  RESEND_AFTER_MS: '1000',
  LEASE_TTL_MS: '3000',
  LOOK_TIMEOUT_MS: '5000',
  MAX_IN_FLIGHT_PER_LANE: '4',
  NONCE_WINDOW: '8',
  MEMPOOL_LIFETIME_MS: '5000',
  WAIT_FOR_CONFIRMATION_MS: '5000',
  OPERATOR_API_TOKEN: OPERATOR_TOKEN,
};
const CHAIN_ENVIRONMENT: Variables = { EMPTY_BLOCK_MS: '1000' };

/** What a case stands on, besides the sandbox and SQLite. */
export type Need = 'postgres' | 'compiler' | 'second node';

/** Why a case can't be staged on this machine; null when it can. */
export function missingFor(needs: readonly Need[]): string | null {
  if (needs.includes('postgres')) {
    const found = findPostgres();
    if (found.kind === 'missing') return found.reason;
  }
  if (needs.includes('compiler') && spawnSync('cc', ['--version']).status !== 0)
    return 'no C compiler is on the path';
  return null;
}

interface Database {
  readonly server: PostgresServer;
  readonly proxy: TcpProxy;
  /** By way of the proxy. */
  readonly url: string;
  readonly ownUrl: string;
}

/** The service, all that it stands on, and a hand on each of them. */
export class World {
  readonly callers = new Callers(() => this.#taking);
  /** Withdrawals that another service was asked for. */
  readonly askedOutside: number[] = [];
  readonly #started: Service[] = [];
  #taking: Service | null = null;
  #watched: Service | null = null;

  private constructor(
    readonly stack: Stack,
    /** Between the service and its node. */
    readonly nodes: readonly [FaultProxy, FaultProxy],
    /** Between the service and its node, below JSON-RPC. */
    readonly wire: TcpProxy,
    readonly prices: TcpProxy,
    /** Between the service and what its node pushes. */
    readonly push: TcpProxy,
    private readonly sql: Database | null,
    private readonly disk: FaultShim | null,
    private readonly alerting: Alerting | null,
    private readonly env: Variables,
  ) {}

  static async start(
    needs: readonly Need[],
    alerting: Alerting | null,
    env: Variables = {},
  ): Promise<World> {
    const stack = await Stack.start(ENVIRONMENT, CHAIN_ENVIRONMENT, ['--import', HOOKS]);
    const { rpcUrl, wsUrl, aggregatorUrl } = stack.chain.urls;
    const wire = await TcpProxy.before(rpcUrl);
    const nodes = [
      await startFaultProxy({ target: wire.url }),
      await startFaultProxy({ target: wire.url }),
    ] as const;
    const prices = await TcpProxy.before(aggregatorUrl);
    const push = await TcpProxy.before(wsUrl);
    const sql = needs.includes('postgres') ? await startPostgres() : null;
    // One disk has the ledger and the service's log.
    const disk = needs.includes('compiler') ? FaultShim.make(stack.logFolder) : null;
    return new World(stack, nodes, wire.proxy, prices.proxy, push.proxy, sql, disk, alerting, {
      ...(needs.includes('second node')
        ? { STARKNET_RPC_URL: '', STARKNET_RPC_URLS: nodes.map(({ url }) => url).join(',') }
        : { STARKNET_RPC_URL: nodes[0].url }),
      STARKNET_WS_URL: push.url,
      PRICE_API_URL: prices.url,
      ...(sql === null ? {} : { DATABASE_PATH: '', DATABASE_URL: sql.url }),
      ...disk?.env,
      ...env,
    });
  }

  /** The service that an operator looks at. @throws Error before the first was started */
  get watched(): Service {
    if (this.#watched === null) throw new Error('no service was started');
    return this.#watched;
  }

  /** @throws Error where the case does not need PostgreSQL */
  get postgres(): Database {
    if (this.sql === null) throw new Error('the case does not need PostgreSQL');
    return this.sql;
  }

  /** @throws Error where the case does not need a compiler */
  get shim(): FaultShim {
    if (this.disk === null) throw new Error('the case does not need a compiler');
    return this.disk;
  }

  /** The service that callers ask and the operator looks at from now on. */
  async serve(env: Variables = {}): Promise<Service> {
    const service = await this.stack.serve({ ...this.env, ...env });
    this.#taking = service;
    this.#watched = service;
    this.#scrape(service);
    return service;
  }

  /** One more of them, which callers do not ask. */
  async another(env: Variables): Promise<Service> {
    const service = await this.stack.another({ ...this.env, ...env });
    this.#scrape(service);
    return service;
  }

  /** There is no service for callers until the next one is started. */
  async end(service: Service, signal: NodeJS.Signals): Promise<void> {
    if (this.#taking === service) this.#taking = null;
    await service.process.stop(signal);
  }

  /** The node does so with every request that fits, until {@link nodesPass}. */
  nodesDo(fault: FaultOrder['fault'], methods: readonly string[] = ['*'], which = [0, 1]): void {
    for (const index of which)
      this.nodes[index]?.addFault({ method: [...methods], fault, times: 'always' });
  }

  nodesPass(): void {
    for (const node of this.nodes) node.clearFaults();
  }

  /** How many of them the chain has paid. */
  async paidOutside(): Promise<number> {
    const spent = await Promise.all(
      this.askedOutside.map((index) => this.stack.chain.isSpent(index)),
    );
    return spent.filter(Boolean).length;
  }

  async stop({ keep }: { readonly keep: boolean }): Promise<void> {
    for (const service of this.#started)
      if (service.isRunning) {
        service.kill('SIGCONT');
        await service.process.stop('SIGKILL');
      }
    for (const node of this.nodes) await node.stop();
    for (const proxy of [this.wire, this.prices, this.push]) await proxy.stop();
    await this.sql?.proxy.stop();
    await this.sql?.server.stop();
    this.disk?.close();
    this.alerting?.scrape([]);
    await this.stack.stop({ keep });
  }

  #scrape(service: Service): void {
    this.#started.push(service);
    this.alerting?.scrape(
      this.#started.flatMap(({ isRunning, metricsUrl }) => (isRunning ? [metricsUrl] : [])),
    );
  }
}

async function startPostgres(): Promise<Database> {
  const found = findPostgres();
  if (found.kind === 'missing') throw new Error(found.reason);
  const server = await PostgresServer.start(found, {
    settings: [
      `max_connections=${POSTGRES_CONNECTIONS}`,
      'superuser_reserved_connections=0',
      'max_wal_senders=0',
    ],
  });
  const ownUrl = await server.createDatabase();
  return { server, ownUrl, ...(await TcpProxy.before(ownUrl)) };
}

/** Ends every other session of a server and takes all its connections. @returns gives them back */
export async function takeAllConnections(url: string): Promise<() => Promise<void>> {
  const held: Client[] = [];
  const release = async (): Promise<void> => {
    await Promise.allSettled(held.map((client) => client.end()));
  };
  const take = async (): Promise<void> => {
    for (;;) {
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch {
        return;
      }
      held.push(client);
    }
  };
  await take();
  // Who is turned away tries again, and may be faster.
  while ((await endOthers(held)) > 0) await take();
  return release;
}

/** @returns how many sessions others had */
async function endOthers(held: readonly Client[]): Promise<number> {
  const own = await Promise.all(held.map(backendOf));
  const ended = await held[0]?.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> all($1)",
    [own],
  );
  return ended?.rowCount ?? 0;
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** The kernel gives the process no more descriptors than it has. @returns takes that back */
export function exhaustDescriptors(pid: number, limit: number): () => void {
  const set = (value: string): void => {
    const { status } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${value}`]);
    if (status !== 0) throw new Error('prlimit could not set the limit of descriptors');
  };
  set(`${limit}:4096`);
  return () => set('4096:4096');
}

/** Rules that ship with the service. */
export const RULES_FILE = fileURLToPath(
  new URL('../../../../../apps/production/prometheus/alerts.yml', import.meta.url),
);
export const folderOf = (stack: Stack, name: string): string => join(stack.logFolder, name);
