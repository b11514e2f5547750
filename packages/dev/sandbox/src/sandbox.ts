import type { Server } from 'node:http';
import { Aggregator, type AggregatorSettings } from './aggregator/aggregator.js';
import { ChainFloor } from './aggregator/chain-floor.js';
import { createAggregatorServer } from './aggregator/server.js';
import { sandboxWorld } from './contracts/world.js';
import { Control, type ControlParts } from './control/control.js';
import { RequestCounter } from './control/counters.js';
import type { FaultOrder } from './control/faults.js';
import { Cadence, type CadenceDelays } from './engine/cadence.js';
import { Chain } from './engine/chain.js';
import { SandboxClock } from './engine/clock.js';
import type { GasPrices } from './engine/fee.js';
import { Gateway, type GatewaySettings } from './engine/gateway.js';
import type { Genesis } from './engine/genesis.js';
import { Mempool, type MempoolSettings } from './engine/mempool.js';
import type { ProofSettings } from './engine/proof-facts.js';
import type { InvokeHasher } from './engine/transaction.js';
import { FaultQueue } from './http/fault-queue.js';
import { close, listen } from './http/server.js';
import { PushServer } from './push/push-server.js';
import { RewardsApi } from './rewards/rewards-api.js';
import { createRewardsServer } from './rewards/server.js';
import { RpcEndpoint } from './rpc/endpoint.js';
import { createHttpServer } from './rpc/server.js';
import type { Solver, SolverSettings } from './solver/solver.js';
import { startSolver } from './solver/start-solver.js';

/** Options to start the sandbox. All options except the genesis have defaults. */
export interface SandboxOptions {
  readonly genesis: Genesis;
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** @default 0, which selects a free port */
  readonly port?: number | undefined;
  /**
   * Cadence of the chain. With `manual`, only {@link Control.advance} and {@link Control.mine}
   * advance the chain. Otherwise timers with these delays advance it.
   * @default {@link DEFAULT_DELAYS}
   */
  readonly cadence?: 'manual' | Partial<CadenceDelays> | undefined;
  /** Gas prices of the first blocks. @default {@link DEFAULT_GAS_PRICES} */
  readonly gasPrices?: Partial<GasPrices> | undefined;
  readonly gateway?: Partial<GatewaySettings> | undefined;
  readonly mempool?: Partial<MempoolSettings> | undefined;
  /**
   * Network round trip to the node in milliseconds; {@link Control.setLatency} changes it. @default
   * 0
   */
  readonly latencyMs?: number | undefined;
  /** Difference of the node's clock from the machine's clock, in milliseconds. @default 0 */
  readonly clockShiftMs?: number | undefined;
  /**
   * Function that computes transaction hashes. The default needs about 0.2 s for a withdrawal.
   * @default starknet.js
   */
  readonly hashInvoke?: InvokeHasher | undefined;
  /**
   * Rules for proofs of transactions.
   * @default proofs are required and checked, and the network's program is accepted
   */
  readonly proofs?: Partial<ProofSettings> | undefined;
  /** Port of the aggregator. @default 0, which selects a free port */
  readonly aggregatorPort?: number | undefined;
  readonly aggregator?: Partial<AggregatorSettings> | undefined;
  /** Port of the bridge solver. @default 0, which selects a free port */
  readonly bridgePort?: number | undefined;
  readonly solver?: Partial<SolverSettings> | undefined;
  /** Port of the lending protocol's HTTP interface. @default 0, which selects a free port */
  readonly rewardsPort?: number | undefined;
}

/** Second node with its own copy of the chain. Only its {@link control} advances this copy. */
export interface Replica {
  readonly rpcUrl: string;
  readonly control: Control;
}

/**
 * Running sandbox: a node, an aggregator that trades on the node's chain, a bridge solver with the
 * node's clock, and the rewards interface of the lending protocol.
 */
export interface Sandbox {
  /** URL of JSON-RPC. The control interface is at `/control` on this origin. */
  readonly rpcUrl: string;
  /** URL of JSON-RPC over WebSocket, with subscriptions. */
  readonly wsUrl: string;
  /**
   * URL of the aggregator, which serves `/swap/v3/…`, `/v3/tokens/prices` and the price history.
   * The aggregator has a separate origin, as on the network.
   */
  readonly aggregatorUrl: string;
  /** URL of the solver's interface in the format of Sotto's specification, on a separate origin. */
  readonly bridgeUrl: string;
  /** URL of the same bridge solver in 1Click's format. */
  readonly oneClickUrl: string;
  /** URL that accepts control commands for the {@link solver} as JSON, with POST. */
  readonly solverControlUrl: string;
  /** URL of the lending protocol's HTTP interface, which serves `/pools` on a separate origin. */
  readonly rewardsUrl: string;
  readonly control: Control;
  /** Bridge solver, which simulates the other chains of a transfer. */
  readonly solver: Solver;
  /**
   * Starts a second node whose chain begins with the accepted blocks of this node. From then on,
   * each node adds blocks only to its own chain. {@link stop} also stops the second node.
   */
  fork(): Promise<Replica>;
  /** Stops the timers and all servers, and closes open connections. */
  stop(): Promise<void>;
}

/** Default delays: short enough for development, and long enough to observe every stage. */
const DEFAULT_DELAYS: CadenceDelays = {
  candidateMs: 20,
  preConfirmedMs: 80,
  blockMs: 500,
  l1Ms: 3_000,
  emptyBlockMs: 10_000,
};

/**
 * Default prices in fri. The L2 gas price is the network's minimum. The other prices have a typical
 * ratio to the L2 gas price.
 */
const DEFAULT_GAS_PRICES: GasPrices = {
  l1Gas: 40_000_000_000_000n,
  l1DataGas: 1_000_000_000n,
  l2Gas: 8_000_000_000n,
};

/** Values from the sequencer's published gateway configuration. */
const DEFAULT_GATEWAY: GatewaySettings = {
  minL2GasPriceFri: 8_000_000_000n,
  maxL2GasAmount: 1_210_000_000n,
  maxCalldataFelts: 5000,
  maxSignatureFelts: 4000,
  maxNonceGap: 200n,
  trustSignatures: false,
};

/** Values from the sequencer's published mempool configuration. */
const DEFAULT_MEMPOOL: MempoolSettings = { lifetimeMs: 300_000, replacementPercent: 10n };

/** Starts a sandbox with a separate chain. One process can run several sandboxes. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    genesis,
    host = '127.0.0.1',
    port = 0,
    aggregatorPort = 0,
    bridgePort = 0,
    rewardsPort = 0,
    cadence: delays = {},
    clockShiftMs = 0,
  } = options;
  const clock = new SandboxClock();
  clock.move(clockShiftMs);
  const newPool = (): Mempool =>
    new Mempool({ ...DEFAULT_MEMPOOL, ...options.mempool }, () => clock.nowMs());
  const chain = new Chain(
    genesis,
    newPool(),
    clock,
    { ...DEFAULT_GAS_PRICES, ...options.gasPrices },
    options.hashInvoke,
    options.proofs,
  );
  const cadence =
    delays === 'manual' ? undefined : new Cadence(chain, { ...DEFAULT_DELAYS, ...delays });
  const aggregator = new Aggregator(new ChainFloor(chain), options.aggregator);
  const rewards = new RewardsApi(sandboxWorld.tokens.WBTC, sandboxWorld.lendingPools);
  const nodes: RunningNode[] = [];
  const startNode = (parts: Pick<ControlParts, 'chain' | 'cadence'>): RunningNode => {
    const node = createNode(options, { ...parts, aggregator, rewards });
    nodes.push(node);
    return node;
  };
  const { server: node, control } = startNode({ chain, cadence });
  const trader = createAggregatorServer(aggregator);
  const rewarder = createRewardsServer(rewards);
  const bridge = await startSolver({
    ...options.solver,
    host,
    port: bridgePort,
    nowMs: () => clock.nowMs(),
  });
  const stop = async (): Promise<void> => {
    cadence?.stop();
    for (const { push } of nodes) push.stop();
    const servers = [...nodes.map(({ server }) => server), trader, rewarder];
    await Promise.all([...servers.map((server) => close(server)), bridge.stop()]);
  };
  try {
    const rpcUrl = await listen(node, host, port);
    const aggregatorUrl = await listen(trader, host, aggregatorPort);
    const rewardsUrl = await listen(rewarder, host, rewardsPort);
    cadence?.start();
    const { bridgeUrl, oneClickUrl, controlUrl: solverControlUrl, control: solver } = bridge;
    return {
      rpcUrl,
      wsUrl: `${rpcUrl.replace('http', 'ws')}/ws`,
      aggregatorUrl,
      bridgeUrl,
      oneClickUrl,
      solverControlUrl,
      rewardsUrl,
      control,
      solver,
      fork: async () => {
        const fork = startNode({ chain: chain.fork(newPool()), cadence: undefined });
        return { rpcUrl: await listen(fork.server, host, 0), control: fork.control };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface RunningNode {
  readonly server: Server;
  readonly push: PushServer;
  readonly control: Control;
}

/** Creates the HTTP server of a node for one chain, with separate faults and counters. */
function createNode(
  { genesis, gateway: gatewaySettings, latencyMs = 0 }: SandboxOptions,
  parts: Pick<ControlParts, 'chain' | 'cadence' | 'aggregator' | 'rewards'>,
): RunningNode {
  const { chain } = parts;
  const gateway = new Gateway(chain, { ...DEFAULT_GATEWAY, ...gatewaySettings });
  const faults = new FaultQueue<FaultOrder>();
  const counter = new RequestCounter();
  const context = {
    chain,
    gateway,
    view: () => control.view(),
    onDelivery: counter.countDelivery.bind(counter),
  };
  const push = new PushServer(context, () => control.latencyMs / 2);
  const { accounts } = genesis;
  const control: Control = new Control({ ...parts, push, accounts, faults, counter, latencyMs });
  const server = createHttpServer(new RpcEndpoint(context, faults, counter, control), control);
  push.serve(server);
  return { server, push, control };
}
