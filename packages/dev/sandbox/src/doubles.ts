import { Aggregator, type AggregatorSettings } from './aggregator/aggregator.js';
import { FixedFloor, type FixedFloorOptions } from './aggregator/fixed-floor.js';
import { createAggregatorServer } from './aggregator/server.js';
import { close, listen } from './http/server.js';
import { RewardsApi, type RewardedPools } from './rewards/rewards-api.js';
import { createRewardsServer } from './rewards/server.js';
import type { Solver, SolverSettings } from './solver/solver.js';
import { startSolver } from './solver/start-solver.js';

/**
 * Options of the servers that simulate external services for a chain other than the sandbox's
 * chain.
 */
export interface DoublesOptions extends FixedFloorOptions {
  readonly lendingPools: RewardedPools;
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  readonly aggregator?: Partial<AggregatorSettings> | undefined;
  readonly solver?: Partial<SolverSettings> | undefined;
}

/**
 * The sandbox's HTTP servers without its chain: aggregator, bridge solver, and rewards interface of
 * the lending protocol.
 */
export interface Doubles {
  readonly aggregatorUrl: string;
  readonly bridgeUrl: string;
  readonly oneClickUrl: string;
  readonly solverControlUrl: string;
  readonly rewardsUrl: string;
  readonly aggregator: Aggregator;
  readonly solver: Solver;
  readonly rewards: RewardsApi;
  /** Stops all servers and closes open connections. */
  stop(): Promise<void>;
}

/** Starts the servers for a chain on free ports. One process can run several sets of servers. */
export async function startDoubles({
  host = '127.0.0.1',
  lendingPools,
  aggregator: settings,
  solver,
  ...floor
}: DoublesOptions): Promise<Doubles> {
  const aggregator = new Aggregator(new FixedFloor(floor), settings);
  const rewards = new RewardsApi(floor.tokens.WBTC, lendingPools);
  const trader = createAggregatorServer(aggregator);
  const rewarder = createRewardsServer(rewards);
  const bridge = await startSolver({ ...solver, host, nowMs: floor.nowMs });
  const stop = async (): Promise<void> => {
    await Promise.all([close(trader), close(rewarder), bridge.stop()]);
  };
  try {
    const aggregatorUrl = await listen(trader, host, 0);
    const rewardsUrl = await listen(rewarder, host, 0);
    const { bridgeUrl, oneClickUrl, controlUrl: solverControlUrl, control } = bridge;
    return {
      aggregatorUrl,
      bridgeUrl,
      oneClickUrl,
      solverControlUrl,
      rewardsUrl,
      aggregator,
      solver: control,
      rewards,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
