import { DeployDueFunds, VaultFunds } from '@sotto/curator-core';
import { KeeperTask } from '@sotto/keeper-core';
import { MarketPrices } from '@sotto/market-core';
import type { Binder } from '../container.js';
import { LOOKING, curatorAddress, type KeeperModuleSettings } from './task-binding.js';

/** Binds the task that deploys idle funds of vaults. */
export function bindCurator({ provide }: Binder, settings: KeeperModuleSettings): void {
  const { network, keeper } = settings;
  provide.as(
    KeeperTask,
    DeployDueFunds,
    { ...LOOKING, funds: VaultFunds, marketPrices: MarketPrices },
    {
      ...keeper.curator,
      chainId: network.chainId,
      vaults: network.vaults,
      account: curatorAddress(settings),
      wbtc: { symbol: 'WBTC', ...network.tokens.WBTC },
      intervalMs: keeper.intervalMs,
      retry: keeper.retry,
    },
  );
}
