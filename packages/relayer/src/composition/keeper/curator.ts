import { DeployDueFunds, VaultFunds } from '@sotto/curator-core';
import { KeeperTask } from '@sotto/keeper-core';
import { MarketPrices } from '@sotto/market-core';
import { assemble } from '../container.js';
import {
  LOOKING,
  curatorAddress,
  type Container,
  type KeeperModuleSettings,
} from './task-binding.js';

/** Deploys idle funds of vaults. */
export function bindCurator({ bind }: Container, settings: KeeperModuleSettings): void {
  const { network, keeper } = settings;
  assemble(
    bind(KeeperTask),
    { ...LOOKING, funds: VaultFunds, marketPrices: MarketPrices },
    ({ openedStore: { taskBook: book }, ...ports }) =>
      new DeployDueFunds(
        { ...ports, book },
        {
          ...keeper.curator,
          chainId: network.chainId,
          vaults: network.vaults,
          account: curatorAddress(settings),
          wbtc: { symbol: 'WBTC', ...network.tokens.WBTC },
          intervalMs: keeper.intervalMs,
          retry: keeper.retry,
        },
      ),
  );
}
