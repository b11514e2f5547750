import { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { StarknetNode, StarknetBalances } from '@sotto/adapter-starknet';
import { KeeperTask } from '@sotto/keeper-core';
import { convertedTokens } from '@sotto/network-profile';
import {
  ConvertFees,
  KeepTreasury,
  TopUpLanes,
  fundedLanes,
  TopUpStore,
} from '@sotto/relayer-core';
import { MarketPrices, type PoolToken } from '@sotto/market-core';
import { assemble, type Binder } from '../container.js';
import { MAX_IMPACT_BPS, SLIPPAGE_PPM, routingTo } from './swap-routing.js';
import { LOOKING, SEND_WITHIN_MS, type KeeperModuleSettings } from './task-binding.js';

/**
 * Binds the task that sends STRK to the signing accounts. The task also swaps earned fees into STRK
 * for this purpose.
 */
export function bindTreasury({ bind }: Binder, settings: KeeperModuleSettings): void {
  const { network, keeper, lanes } = settings;
  const { account, levels, maxPerDayFri, reserveFri, conversions } = keeper.treasury;
  if (account === null) throw new Error('the rules let a treasury without an account through');
  const strk: PoolToken = { symbol: 'STRK', ...network.tokens.STRK };
  const usual = {
    chainId: network.chainId,
    strk: strk.address,
    treasury: account.address,
    retry: keeper.retry,
    intervalMs: keeper.intervalMs,
  };
  assemble(
    bind(TopUpLanes),
    { ...LOOKING, topUps: TopUpStore, client: StarknetNode },
    ({ client, ...ports }) =>
      new TopUpLanes(
        { ...ports, balances: new StarknetBalances(client) },
        { ...usual, lanes: fundedLanes(lanes, levels), maxPerDayFri, reserveFri },
      ),
  );
  if (conversions.size === 0) {
    bind(KeeperTask).toService(TopUpLanes);
    return;
  }
  const routing = routingTo([strk], settings, MAX_IMPACT_BPS);
  assemble(
    bind(ConvertFees),
    {
      ...LOOKING,
      client: StarknetNode,
      marketPrices: MarketPrices,
      aggregator: HttpSwapAggregator,
    },
    ({ client, ...ports }) =>
      new ConvertFees(
        { ...ports, balances: new StarknetBalances(client), routing: routing(ports) },
        {
          ...usual,
          tokens: convertedTokens(network, conversions),
          slippagePpm: SLIPPAGE_PPM,
          sendWithinMs: SEND_WITHIN_MS,
        },
      ),
  );
  bind(KeeperTask).toResolvedValue(
    (topUps, fees) => new KeepTreasury([topUps, fees]),
    [TopUpLanes, ConvertFees],
  );
}
