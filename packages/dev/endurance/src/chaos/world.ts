import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFaultProxy, type FaultOrder, type FaultProxy } from '@sotto/fault-proxy';
import type { Service, Variables } from '@sotto/process-kit';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { Callers } from '../crash/callers.js';
import { Stack } from '../stack/stack.js';
import type { Alerting } from './alerts.js';
import { FaultShim } from './fault-shim.js';
import { PlainServer } from './plain-server.js';
import { LOOKED_UP } from './service-orders.js';
import { CHAIN_ENVIRONMENT, ENVIRONMENT } from './settings.js';
import { SignerProcess } from './signer-process.js';
import { TcpProxy } from './tcp-proxy.js';
import { TlsProxy } from './tls-proxy.js';

const HOOKS = new URL('./service-hooks.js', import.meta.url).href;
const POSTGRES_CONNECTIONS = 20;
/** Prefix of the names of log files. */
const LOG_FILES = 'service-';

/** Requirement of a case, in addition to the sandbox and SQLite. */
export type Need =
  | 'postgres'
  | 'compiler'
  | 'log disk'
  | 'second node'
  | 'openssl'
  | 'name'
  | 'limited node'
  | 'signer'
  | 'output'
  | 'collector';

/** Returns the reason why a case can't be run on this machine; null if it can. */
export function missingFor(needs: readonly Need[]): string | null {
  if (needs.includes('postgres')) {
    const found = findPostgres();
    if (found.kind === 'missing') return found.reason;
  }
  const needsCompiler = needs.includes('compiler') || needs.includes('log disk');
  if (needsCompiler && spawnSync('cc', ['--version']).status !== 0)
    return 'no C compiler is on the path';
  if (needs.includes('openssl') && spawnSync('openssl', ['version']).status !== 0)
    return 'no openssl is on the path';
  return null;
}

interface Database {
  readonly server: PostgresServer;
  readonly proxy: TcpProxy;
  /** URL of the database through the proxy. */
  readonly url: string;
  readonly ownUrl: string;
}

/** Systems on which a service depends, each behind a proxy or a fault shim. */
interface Surroundings {
  readonly stack: Stack;
  /** JSON-RPC proxies, each for one of the service's two nodes. */
  readonly nodes: readonly [FaultProxy, FaultProxy];
  /** TCP proxy between the JSON-RPC proxies and the chain's node. */
  readonly wire: TcpProxy;
  /**
   * TCP proxy in front of the node to which the service connects. Null unless the case needs a node
   * with a limited number of connections.
   */
  readonly front: TcpProxy | null;
  readonly prices: TcpProxy;
  /** TCP proxy between the service and the node's WebSocket. */
  readonly push: TcpProxy;
  readonly sql: Database | null;
  readonly disk: FaultShim | null;
  readonly tls: TlsProxy | null;
  readonly signer: SignerProcess | null;
  /** Fake collector of traces; null unless the case needs it. */
  readonly traces: PlainServer | null;
  readonly alerting: Alerting | null;
}

/** Service with the systems on which it depends. Tests can control each of them. */
export class World {
  readonly callers = new Callers(() => this.#taking);
  /** Numbers of the notes whose withdrawals were requested from a service of another deployment. */
  readonly requestedOutside: number[] = [];
  readonly #started: Service[] = [];
  /** Services of another deployment, whose status the operator does not poll. */
  readonly #foreign = new Set<Service>();
  #taking: Service | null = null;
  #watched: Service | null = null;

  private constructor(
    private readonly around: Surroundings,
    private readonly env: Variables,
  ) {}

  static async start(
    needs: readonly Need[],
    alerting: Alerting | null,
    env: Variables = {},
  ): Promise<World> {
    const stack = await Stack.start(
      ENVIRONMENT,
      CHAIN_ENVIRONMENT,
      ['--import', HOOKS],
      {},
      !needs.includes('output'),
    );
    const has = (need: Need): boolean => needs.includes(need);
    const { rpcUrl, wsUrl, aggregatorUrl } = stack.chain.urls;
    const wire = await TcpProxy.before(rpcUrl);
    const nodes = [
      await startFaultProxy({ target: wire.url }),
      await startFaultProxy({ target: wire.url }),
    ] as const;
    const [{ url: nodeUrl }] = nodes;
    const tls = has('openssl') ? await TlsProxy.before(nodeUrl, stack.folder) : null;
    const front = has('limited node') ? await TcpProxy.before(nodeUrl) : null;
    const prices = await TcpProxy.before(aggregatorUrl);
    const push = await TcpProxy.before(wsUrl);
    const sql = has('postgres') ? await startPostgres() : null;
    const signer = has('signer') ? await SignerProcess.start(stack.folder) : null;
    const traces = has('collector') ? await PlainServer.start('application/json', '{}') : null;
    const around: Surroundings = {
      stack,
      nodes,
      wire: wire.proxy,
      front: front?.proxy ?? null,
      prices: prices.proxy,
      push: push.proxy,
      sql,
      disk: diskOf(needs, stack),
      tls,
      signer,
      traces,
      alerting,
    };
    return new World(around, {
      ...(has('second node')
        ? { STARKNET_RPC_URLS: nodes.map(({ url }) => url).join(',') }
        : { STARKNET_RPC_URLS: tls?.url ?? front?.url ?? nodeUrl }),
      ...(has('name') ? { STARKNET_RPC_URLS: nodeUrl.replace('127.0.0.1', LOOKED_UP) } : {}),
      ...(tls === null ? {} : { NODE_EXTRA_CA_CERTS: tls.caFile }),
      STARKNET_WS_URL: push.url,
      PRICE_API_URL: prices.url,
      ...(sql === null ? {} : { DATABASE_PATH: '', DATABASE_URL: sql.url }),
      ...signer?.serviceEnv,
      ...(traces === null ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url }),
      ...around.disk?.env,
      ...env,
    });
  }

  get stack(): Stack {
    return this.around.stack;
  }

  get wire(): TcpProxy {
    return this.around.wire;
  }

  get prices(): TcpProxy {
    return this.around.prices;
  }

  get push(): TcpProxy {
    return this.around.push;
  }

  /** Service whose status the operator polls. @throws Error before the first start */
  get watched(): Service {
    if (this.#watched === null) throw new Error('no service was started');
    return this.#watched;
  }

  /** @throws Error if the case does not need PostgreSQL */
  get postgres(): Database {
    return needed(this.around.sql);
  }

  /** @throws Error if the case does not need a compiler */
  get shim(): FaultShim {
    return needed(this.around.disk);
  }

  /** @throws Error if the case does not need openssl */
  get tls(): TlsProxy {
    return needed(this.around.tls);
  }

  /** @throws Error if the case does not need a signer */
  get signer(): SignerProcess {
    return needed(this.around.signer);
  }

  /** @throws Error if the case does not need a limited node */
  get front(): TcpProxy {
    return needed(this.around.front);
  }

  /** @throws Error if the case does not need a collector of traces */
  get traces(): PlainServer {
    return needed(this.around.traces);
  }

  /** Starts a service. Callers use this service from now on, and the operator polls its status. */
  async serve(env: Variables = {}): Promise<Service> {
    const service = await this.stack.restart({ ...this.env, ...env });
    this.#taking = service;
    this.#watched = service;
    this.#started.push(service);
    this.#scrape();
    return service;
  }

  /** Starts an additional service, which callers do not use. */
  async another(env: Variables, isOurs = true): Promise<Service> {
    const service = await this.stack.beside({ ...this.env, ...env });
    this.#started.push(service);
    if (!isOurs) this.#foreign.add(service);
    this.#scrape();
    return service;
  }

  /** Ends a service. If callers use it, they have no service until the next service is started. */
  async end(service: Service, signal: NodeJS.Signals): Promise<void> {
    if (this.#taking === service) this.#taking = null;
    await service.process.stop(signal);
    this.#scrape();
  }

  /** Makes the nodes apply a fault to all matching requests until {@link nodesPass} is called. */
  nodesDo(fault: FaultOrder['fault'], methods: readonly string[] = ['*'], which = [0, 1]): void {
    for (const index of which)
      this.around.nodes[index]?.addFault({ method: [...methods], fault, times: 'always' });
  }

  nodesPass(): void {
    for (const node of this.around.nodes) node.clearFaults();
  }

  /** Adds a replica that never responds. Every second request is sent to this replica. */
  addDeadReplica(): void {
    const [node] = this.around.nodes;
    // No process listens on port 9, the discard port.
    node.addReplica('http://127.0.0.1:9');
    node.route({ kind: 'alternate' });
  }

  removeDeadReplica(): void {
    this.around.nodes[0].route({ kind: 'fixed', target: 0 });
  }

  /**
   * Returns the number of withdrawals that were requested from the other deployment and were paid
   * on chain.
   */
  async paidOutside(): Promise<number> {
    const spent = await Promise.all(
      this.requestedOutside.map((index) => this.stack.chain.isSpent(index)),
    );
    return spent.filter(Boolean).length;
  }

  async stop({ keep }: { readonly keep: boolean }): Promise<void> {
    for (const service of this.#started)
      if (service.isRunning) {
        service.kill('SIGCONT');
        await service.process.stop('SIGKILL');
      }
    const { nodes, wire, front, prices, push, tls, sql, signer, traces, disk } = this.around;
    for (const node of nodes) await node.stop();
    for (const proxy of [wire, front, prices, push, tls, sql?.proxy, sql?.server, signer, traces])
      await proxy?.stop();
    disk?.close();
    this.around.alerting?.scrape([]);
    await this.stack.stop({ keep });
  }

  #scrape(): void {
    this.around.alerting?.scrape(
      this.#started
        .filter((service) => service.isRunning && !this.#foreign.has(service))
        .map(({ metricsUrl }) => ({ url: metricsUrl })),
    );
  }
}

/** @throws Error if `part` is null */
function needed<T>(part: T | null): T {
  if (part === null) throw new Error('the case does not need this');
  return part;
}

/** Creates a shim for the disk that contains ledger and log, or for the log only. */
function diskOf(needs: readonly Need[], { folder }: Stack): FaultShim | null {
  if (needs.includes('compiler')) return FaultShim.make(folder);
  return needs.includes('log disk') ? FaultShim.make(folder, LOG_FILES) : null;
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

/** Limits the number of file descriptors of a process. @returns function that restores the limit */
export function exhaustDescriptors(pid: number, limit: number): () => void {
  const set = (value: string): void => {
    const { status } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${value}`]);
    if (status !== 0) throw new Error('prlimit could not set the limit of descriptors');
  };
  set(`${limit}:4096`);
  return () => set('4096:4096');
}

const shipped = (name: string): string =>
  fileURLToPath(new URL(`../../../../../apps/production/prometheus/${name}`, import.meta.url));
/** Alerting files that are shipped with the service. */
export const ALERTING_FILES = {
  rules: shipped('alerts.yml'),
  alertmanager: shipped('alertmanager.yml'),
} as const;
export const folderOf = (stack: Stack, name: string): string => join(stack.folder, name);
