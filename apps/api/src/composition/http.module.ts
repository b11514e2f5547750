import { GetTransferStatus, ListRoutes, QuoteTransfer } from '@sotto/bridge-core';
import { DeployIdleFunds, SetLeverageTarget } from '@sotto/curator-core';
import { GetMayerMultiple, ListOrders } from '@sotto/dca-core';
import { Route } from '@sotto/http-server';
import { ControlTasks, GetKeeperStatus } from '@sotto/keeper-core';
import { Clock } from '@sotto/kernel';
import {
  ControlPools,
  DeployBatch,
  DepositOutcomes,
  EstimateFee,
  FairValues,
  GetPoolCrowd,
  GetPoolStatus,
  GetServiceStatus,
  GetSubmission,
  IssueQuote,
  ListPools,
  LookUpSubmission,
  RelayDeposit,
  SubmitWithdrawal,
  SwapOutcomes,
  ControlLanes,
  GetOperatorStatus,
  Readiness,
} from '@sotto/relayer-core';
import { ListStakingPools } from '@sotto/staking-core';
import type { Settings, SwapSettings } from '@sotto/relayer';
import { liveRoute, readyRoute } from '@sotto/relayer/service';
import { bridgeQuoteRoute, bridgeRoutesRoute, bridgeStatusRoute } from '../http/routes/bridge.js';
import { feeEstimateRoute, quoteRoute } from '../http/routes/fees.js';
import {
  keeperMayerRoute,
  keeperOrdersRoute,
  keeperStatusRoute,
  pauseTaskRoute,
  resumeTaskRoute,
  setLeverageRoute,
} from '../http/routes/keeper.js';
import {
  operatorStatusRoute,
  pauseLaneRoute,
  pausePoolRoute,
  resumeLaneRoute,
  resumePoolRoute,
} from '../http/routes/operator.js';
import { poolStatusRoute, poolsRoute } from '../http/routes/pools.js';
import {
  deployBatchRoute,
  depositRoute,
  lookUpRoute,
  privateSwapRoute,
  submissionRoute,
  withdrawRoute,
} from '../http/routes/relaying.js';
import { openApiRoute, statusRoute } from '../http/routes/service.js';
import { curatorRoute, stakingRoute } from '../http/routes/yields.js';
import { PrivateSwaps, AppModule } from '@sotto/relayer/composition';
import { HttpPolicy } from './bindings.js';
import { OperatorTokens } from '../http/credentials.js';

const PPM_PER_BPS = 100;

/** The routes, and what they themselves decide by. */
export const httpModule = (policy: HttpPolicy): AppModule =>
  new AppModule(({ bind }) => {
    bind(HttpPolicy).toConstantValue(policy);
    bind(Route).toResolvedValue(withdrawRoute, [SubmitWithdrawal, HttpPolicy]);
    bind(Route).toResolvedValue(privateSwapRoute, [PrivateSwaps, HttpPolicy]);
    bind(Route).toResolvedValue(depositRoute, [RelayDeposit, HttpPolicy]);
    bind(Route).toResolvedValue(deployBatchRoute, [DeployBatch, OperatorTokens, HttpPolicy]);
    bind(Route).toResolvedValue(poolsRoute, [ListPools, FairValues, HttpPolicy]);
    bind(Route).toResolvedValue(poolStatusRoute, [GetPoolStatus, GetPoolCrowd, HttpPolicy, Clock]);
    bind(Route).toResolvedValue(feeEstimateRoute, [EstimateFee, HttpPolicy]);
    bind(Route).toResolvedValue(quoteRoute, [
      IssueQuote,
      GetPoolStatus,
      GetPoolCrowd,
      HttpPolicy,
      Clock,
    ]);
    bind(Route).toResolvedValue(submissionRoute, [GetSubmission, SwapOutcomes, DepositOutcomes]);
    bind(Route).toResolvedValue(lookUpRoute, [LookUpSubmission, SwapOutcomes]);
    bind(Route).toResolvedValue(stakingRoute, [ListStakingPools]);
    bind(Route).toResolvedValue(curatorRoute, [DeployIdleFunds, HttpPolicy]);
    bind(Route).toResolvedValue(bridgeStatusRoute, [GetTransferStatus]);
    bind(Route).toResolvedValue(bridgeQuoteRoute, [QuoteTransfer]);
    bind(Route).toResolvedValue(bridgeRoutesRoute, [ListRoutes]);
    bind(Route).toResolvedValue(operatorStatusRoute, [GetOperatorStatus, GetKeeperStatus]);
    bind(Route).toResolvedValue(pausePoolRoute, [ControlPools]);
    bind(Route).toResolvedValue(resumePoolRoute, [ControlPools]);
    bind(Route).toResolvedValue(pauseLaneRoute, [ControlLanes]);
    bind(Route).toResolvedValue(resumeLaneRoute, [ControlLanes]);
    bind(Route).toResolvedValue(keeperStatusRoute, [GetKeeperStatus]);
    bind(Route).toResolvedValue(keeperMayerRoute, [GetMayerMultiple]);
    bind(Route).toResolvedValue(keeperOrdersRoute, [ListOrders]);
    bind(Route).toResolvedValue(pauseTaskRoute, [ControlTasks]);
    bind(Route).toResolvedValue(resumeTaskRoute, [ControlTasks]);
    bind(Route).toResolvedValue(setLeverageRoute, [SetLeverageTarget]);
    bind(Route).toResolvedValue(statusRoute, [GetServiceStatus]);
    bind(Route).toResolvedValue(liveRoute, []);
    bind(Route).toResolvedValue(readyRoute, [Readiness]);
    bind(Route).toResolvedValue(openApiRoute, []);
  });

export function httpPolicy({
  network,
  relay,
  swap,
}: Pick<Settings, 'network' | 'relay' | 'swap'>): HttpPolicy {
  return {
    waitForConfirmationMs: relay.waitForConfirmationMs,
    pools: new Map(network.pools.map((pool) => [pool.address, pool])),
    swap:
      swap === null || network.swapPool === undefined
        ? null
        : { swapPool: network.swapPool.address, ...limitsOf(swap) },
  };
}

function limitsOf({ minSlippageBps, maxPriceImpactBps }: SwapSettings) {
  return { minSlippagePpm: minSlippageBps * PPM_PER_BPS, maxPriceImpactBps };
}
