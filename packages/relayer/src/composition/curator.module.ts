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
import { AppModule, assemble } from './container.js';

/** Stands where no caller reaches the use case. */
const NO_ACCOUNT = toFelt(0n);

/**
 * Deployments of vaults' idle funds. Without tokens no caller reaches the use case, and without an
 * account there are no tokens.
 */
export const curatorModule = ({
  network,
  curator,
}: Pick<Settings, 'network' | 'curator'>): AppModule =>
  new AppModule(({ bind }) => {
    const { chainId, vaults, tokens } = network;
    bind(VaultFunds).toResolvedValue(
      (client) => new StarknetVaultFunds(client, tokens.WBTC.address),
      [StarknetNode],
    );
    bind(Snapshots).toResolvedValue((client) => new StarknetSnapshots(client), [StarknetNode]);
    assemble(
      bind(DeployIdleFunds),
      {
        snapshots: Snapshots,
        funds: VaultFunds,
        simulator: CallSimulator,
        latestBlock: LatestBlock,
        submissions: Submissions,
        repeated: RepeatedSubmissions,
        clock: Clock,
      },
      (ports) =>
        new DeployIdleFunds(ports, {
          chainId,
          vaults,
          account: curator.account?.address ?? NO_ACCOUNT,
        }),
    );
    assemble(
      bind(ListVaults),
      {
        snapshots: Snapshots,
        funds: VaultFunds,
        latestBlock: LatestBlock,
        keeper: GetKeeperStatus,
      },
      (ports) =>
        new ListVaults(ports, {
          vaults,
          leveraged: leveragedVaults(network).map(({ id }) => id),
        }),
    );
  });
