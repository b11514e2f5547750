import { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { StarknetNode, StarknetBalances, StarknetLeveragePositions } from '@sotto/adapter-starknet';
import { OpenedStore } from '@sotto/adapter-store';
import {
  FundRepayments,
  LeveragePositions,
  LeverageTask,
  SetLeverageTarget,
  type LeverageLimits,
} from '@sotto/curator-core';
import { KeeperTask } from '@sotto/keeper-core';
import { leveragedVaults } from '@sotto/network-profile';
import { MarketPrices } from '@sotto/market-core';
import { Snapshots } from '@sotto/submission-core';
import { assemble } from '../container.js';
import { SLIPPAGE_PPM, routingTo } from './swap-routing.js';
import {
  LOOKING,
  SEND_WITHIN_MS,
  curatorAddress,
  type Container,
  type KeeperModuleSettings,
} from './task-binding.js';

const PPM_PER_BPS = 100;
const E18_PER_BPS = 10n ** 14n;
/** From no debt to 5× at the usual limits of loan-to-value. */
const MAX_ROUNDS = 12;
/** Nearer to its target a position is left alone. */
const TARGET_TOLERANCE_BPS = 200n;
/** What is left of a debt below this share of the smallest round stays. */
const DUST_DIVISOR = 100n;
/** A round is in a block within minutes of its plan: it is given up unless it is sent at once. */
const ACCRUAL_SECONDS = 600n;

/** Leads vaults to their targets of leverage, and takes targets of the operator. */
export function bindLeverage({ bind }: Container, settings: KeeperModuleSettings): void {
  const { network, keeper } = settings;
  const { safetyBps, healthFloorBps, maxSwapCostBps, minRoundDebt, maxRoundDebt, repayPerDay } =
    keeper.leverage;
  const limits: LeverageLimits = {
    safetyDistanceE18: BigInt(safetyBps) * E18_PER_BPS,
    healthFloorE18: BigInt(healthFloorBps) * E18_PER_BPS,
    swapCostPpm: BigInt(maxSwapCostBps * PPM_PER_BPS),
    maxRounds: MAX_ROUNDS,
    minRoundDebt,
    maxRoundDebt,
    toleranceBps: TARGET_TOLERANCE_BPS,
    dustDebt: minRoundDebt / DUST_DIVISOR,
    accrualSeconds: ACCRUAL_SECONDS,
  };
  const vaults = leveragedVaults(network);
  const routing = routingTo(
    vaults.flatMap(({ collateral, debt }) => [collateral, debt]),
    settings,
    maxSwapCostBps,
  );
  bind(LeveragePositions).toResolvedValue(
    (client) => new StarknetLeveragePositions(client, ACCRUAL_SECONDS),
    [StarknetNode],
  );
  assemble(
    bind(KeeperTask),
    {
      ...LOOKING,
      positions: LeveragePositions,
      marketPrices: MarketPrices,
      aggregator: HttpSwapAggregator,
      client: StarknetNode,
    },
    ({ openedStore: { taskBook: book, leverageTargets: targets }, client, ...ports }) =>
      new LeverageTask(
        {
          ...ports,
          book,
          targets,
          routing: routing(ports),
          repayments:
            repayPerDay === null || keeper.treasury.account === null
              ? null
              : new FundRepayments(
                  { ...ports, book, balances: new StarknetBalances(client) },
                  {
                    chainId: network.chainId,
                    treasury: keeper.treasury.account.address,
                    maxPerDay: repayPerDay,
                    retry: keeper.retry,
                  },
                ),
        },
        {
          ...limits,
          chainId: network.chainId,
          vaults,
          account: curatorAddress(settings),
          intervalMs: keeper.intervalMs,
          slippagePpm: SLIPPAGE_PPM,
          rateAgainstSeconds: keeper.leverage.rateAgainstSeconds,
          sendWithinMs: SEND_WITHIN_MS,
          retry: keeper.retry,
        },
      ),
  );
  assemble(
    bind(SetLeverageTarget),
    { openedStore: OpenedStore, positions: LeveragePositions, snapshots: Snapshots },
    ({ openedStore: { leverageTargets: targets }, ...ports }) =>
      new SetLeverageTarget({ ...ports, targets }, { ...limits, vaults }),
  );
}
