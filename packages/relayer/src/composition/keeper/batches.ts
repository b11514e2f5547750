import { KeeperTask } from '@sotto/keeper-core';
import { poolsToDeploy } from '@sotto/network-profile';
import { DeployBatch, DeployDueBatches, PoolEvents, PoolReader } from '@sotto/relayer-core';
import { assemble } from '../container.js';
import { LOOKING, type Container, type KeeperModuleSettings } from './task-binding.js';

/** Deploys deposits that wait in pools. */
export function bindBatches(
  { bind }: Container,
  { network, relay, keeper }: KeeperModuleSettings,
): void {
  assemble(
    bind(KeeperTask),
    { ...LOOKING, reader: PoolReader, events: PoolEvents, deployBatch: DeployBatch },
    ({ openedStore: { taskBook: book }, ...ports }) =>
      new DeployDueBatches(
        { ...ports, book },
        {
          ...keeper.batches,
          chainId: network.chainId,
          pools: poolsToDeploy(network),
          relayAccount: relay.firstAccount.address,
          retry: keeper.retry,
          intervalMs: keeper.intervalMs,
        },
      ),
  );
}
