import { NodeClient, StarknetVaultFunds } from '@sotto/adapter-starknet';
import { DeployIdleFunds, VaultFunds } from '@sotto/curator-core';
import { Clock } from '@sotto/kernel';
import { RepeatedSubmissions, Submissions } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { CuratorTokens } from '../http/credentials.js';
import { AppModule, assemble } from './container.js';

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
    assemble(
      bind(DeployIdleFunds),
      { funds: VaultFunds, submissions: Submissions, repeated: RepeatedSubmissions, clock: Clock },
      (ports) => new DeployIdleFunds(ports, { chainId, vaults }),
    );
  });
