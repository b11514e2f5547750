import { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { StarknetNode, StarknetBalances, StarknetLeveragePositions } from '@sotto/adapter-starknet';
import {
  FundRepayments,
  LeveragePositions,
  LeverageTask,
  SetLeverageTarget,
  type LeverageLimits,
  LeverageTargets,
} from '@sotto/curator-core';
import { KeeperTask } from '@sotto/keeper-core';
import { leveragedVaults } from '@sotto/network-profile';
import { MarketPrices } from '@sotto/market-core';
import { Snapshots } from '@sotto/submission-core';
import { assemble, type Binder } from '../container.js';
import { SLIPPAGE_PPM, routingTo } from './swap-routing.js';
import {
  LOOKING,
  SEND_WITHIN_MS,
  curatorAddress,
  type KeeperModuleSettings,
} from './task-binding.js';

const PPM_PER_BPS = 100;
const E18_PER_BPS = 10n ** 14n;
/** Maximum number of rounds from no debt to 5× leverage at the usual limits of loan-to-value. */
const MAX_ROUNDS = 12;
/**
 * Distance from the target, in hundredths of a percent of the target, within which a position is
 * not changed.
 */
const TARGET_TOLERANCE_BPS = 200n;
/**
 * Divisor of the minimum round. If the remaining debt is below the minimum round divided by this
 * number, it is not repaid.
 */
const DUST_DIVISOR = 100n;
/**
 * Time in seconds for which a plan adds interest. A round is in a block within minutes of its plan,
 * because it is abandoned unless it is sent at once.
 */
const ACCRUAL_SECONDS = 600n;

/**
 * Binds the task that moves vaults to their leverage targets, and the use case by which an operator
 * sets a target.
 */
export function bindLeverage({ bind, provide }: Binder, settings: KeeperModuleSettings): void {
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
  provide.as(LeveragePositions, StarknetLeveragePositions, [StarknetNode], ACCRUAL_SECONDS);
  assemble(
    bind(KeeperTask),
    {
      ...LOOKING,
      targets: LeverageTargets,
      positions: LeveragePositions,
      marketPrices: MarketPrices,
      aggregator: HttpSwapAggregator,
      client: StarknetNode,
    },
    ({ client, ...ports }) =>
      new LeverageTask(
        {
          ...ports,
          routing: routing(ports),
          repayments:
            repayPerDay === null || keeper.treasury.account === null
              ? null
              : new FundRepayments(
                  { ...ports, balances: new StarknetBalances(client) },
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
  provide(
    SetLeverageTarget,
    { targets: LeverageTargets, positions: LeveragePositions, snapshots: Snapshots },
    { ...limits, vaults },
  );
}
