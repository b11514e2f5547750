import { StarknetNode, StarknetSnapshots, StarknetVaultFunds } from '@sotto/adapter-starknet';
import { DeployIdleFunds, ListVaults, VaultFunds } from '@sotto/curator-core';
import { GetKeeperStatus } from '@sotto/keeper-core';
import { Clock, toFelt } from '@sotto/kernel';
import { leveragedVaults } from '@sotto/network-profile';
import {
  CallSimulator,
  LatestBlock,
  RepeatedSubmissions,
  Snapshots,
  Submissions,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule } from './container.js';

/**
 * Placeholder address for a curator without an account. Without an account, no caller can reach the
 * use case.
 */
const NO_ACCOUNT = toFelt(0n);

/**
 * Binds deployments of vaults' idle funds. Without API tokens, no caller reaches the use case.
 * Without an account, the settings contain no API tokens.
 */
export const curatorModule = ({
  network,
  curator,
}: Pick<Settings, 'network' | 'curator'>): AppModule =>
  new AppModule(({ provide }) => {
    const { chainId, vaults, tokens } = network;
    provide.as(VaultFunds, StarknetVaultFunds, [StarknetNode], tokens.WBTC.address);
    provide.as(Snapshots, StarknetSnapshots, [StarknetNode]);
    provide(
      DeployIdleFunds,
      {
        snapshots: Snapshots,
        funds: VaultFunds,
        simulator: CallSimulator,
        latestBlock: LatestBlock,
        submissions: Submissions,
        repeated: RepeatedSubmissions,
        clock: Clock,
      },
      {
        chainId,
        vaults,
        account: curator.account?.address ?? NO_ACCOUNT,
      },
    );
    provide(
      ListVaults,
      {
        snapshots: Snapshots,
        funds: VaultFunds,
        latestBlock: LatestBlock,
        keeper: GetKeeperStatus,
      },
      {
        vaults,
        leveraged: leveragedVaults(network).map(({ id }) => id),
      },
    );
  });
