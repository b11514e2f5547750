import { NodeClient, StarknetBalances } from '@sotto/adapter-starknet';
import { KeeperTask } from '@sotto/keeper-core';
import { TopUpLanes, fundedLanes } from '@sotto/relayer-core';
import { assemble } from '../container.js';
import { LOOKING, type Container, type KeeperModuleSettings } from './task-binding.js';

/** Tops up accounts that sign. */
export function bindTreasury(
  { bind }: Container,
  { network, keeper, lanes }: KeeperModuleSettings,
): void {
  const { account, levels, maxPerDayFri, reserveFri } = keeper.treasury;
  if (account === null) throw new Error('the rules let a treasury without an account through');
  assemble(
    bind(KeeperTask),
    { ...LOOKING, client: NodeClient },
    ({ client, openedStore: { taskBook: book, topUps }, ...ports }) =>
      new TopUpLanes(
        { ...ports, book, topUps, balances: new StarknetBalances(client) },
        {
          chainId: network.chainId,
          strk: network.tokens.STRK.address,
          treasury: account.address,
          lanes: fundedLanes(lanes, levels),
          maxPerDayFri,
          reserveFri,
          retry: keeper.retry,
          intervalMs: keeper.intervalMs,
        },
      ),
  );
}
