import { NodeClient, StarknetVaultFunds } from '@sotto/adapter-starknet';
import { DeployIdleFunds, VaultFunds } from '@sotto/curator-core';
import { Clock } from '@sotto/kernel';
import { Submissions } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { CuratorTokens } from '../http/credentials.js';
import { AppModule } from './container.js';

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
    bind(CuratorTokens).toConstantValue(new CuratorTokens(curator.tokens));
    bind(VaultFunds).toResolvedValue(
      (client) => new StarknetVaultFunds(client, tokens.WBTC.address),
      [NodeClient],
    );
    bind(DeployIdleFunds).toResolvedValue(
      (funds, submissions, clock) =>
        new DeployIdleFunds(funds, submissions, clock, { chainId, vaults }),
      [VaultFunds, Submissions, Clock],
    );
  });
