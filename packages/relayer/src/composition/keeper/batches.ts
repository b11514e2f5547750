import { KeeperTask } from '@sotto/keeper-core';
import { poolsToDeploy } from '@sotto/network-profile';
import { DeployBatch, DeployDueBatches, PoolEvents, PoolReader } from '@sotto/relayer-core';
import type { Binder } from '../container.js';
import { TRYING, type KeeperModuleSettings } from './task-binding.js';

/** Binds the task that deploys batches of the deposits that wait in pools. */
export function bindBatches(
  { provide }: Binder,
  { network, relay, keeper }: KeeperModuleSettings,
): void {
  provide.as(
    KeeperTask,
    DeployDueBatches,
    { ...TRYING, reader: PoolReader, events: PoolEvents, deployBatch: DeployBatch },
    {
      ...keeper.batches,
      chainId: network.chainId,
      pools: poolsToDeploy(network),
      relayAccount: relay.firstAccount.address,
      retry: keeper.retry,
      intervalMs: keeper.intervalMs,
    },
  );
}
