import { GetTransferStatus, ListRoutes, QuoteTransfer } from '@sotto/bridge-core';
import { DeployIdleFunds } from '@sotto/curator-core';
import { Clock, Logger } from '@sotto/kernel';
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
import { construct } from './construct.js';
import { BridgeQuoteRoute } from '../http/routes/bridge/bridge-quote.route.js';
import { BridgeRoutesRoute } from '../http/routes/bridge/bridge-routes.route.js';
import { BridgeStatusRoute } from '../http/routes/bridge/bridge-status.route.js';
import { CuratorRoute } from '../http/routes/curator/curator.route.js';
import { LiveRoute } from '../http/routes/health/live.route.js';
import { ReadyRoute } from '../http/routes/health/ready.route.js';
import { OpenApiRoute } from '../http/routes/meta/openapi.route.js';
import { StatusRoute } from '../http/routes/meta/status.route.js';
import { PauseLaneRoute, ResumeLaneRoute } from '../http/routes/operator/lane-control.routes.js';
import { OperatorStatusRoute } from '../http/routes/operator/operator-status.route.js';
import { PausePoolRoute, ResumePoolRoute } from '../http/routes/operator/pool-control.routes.js';
import { DeployBatchRoute } from '../http/routes/relayer/deploy-batch.route.js';
import { DepositRoute } from '../http/routes/relayer/deposit.route.js';
import { FeeEstimateRoute } from '../http/routes/relayer/fee-estimate.route.js';
import { LookUpSubmissionRoute } from '../http/routes/relayer/look-up-submission.route.js';
import { PoolStatusRoute } from '../http/routes/relayer/pool-status.route.js';
import { PoolsRoute } from '../http/routes/relayer/pools.route.js';
import { PrivateSwapRoute } from '../http/routes/relayer/private-swap.route.js';
import { QuoteRoute } from '../http/routes/relayer/quote.route.js';
import { SubmissionRoute } from '../http/routes/relayer/submission.route.js';
import { WithdrawRoute } from '../http/routes/relayer/withdraw.route.js';
import { StakingRoute } from '../http/routes/staking/staking.route.js';
import type { Settings, SwapSettings } from '../environment/settings.js';
import { buildOpenApi } from '../http/openapi.js';
import { ROUTES } from '../http/routes.js';
import { HttpPolicy, OpenApiDocument, PrivateSwaps } from './bindings.js';
import { OperatorTokens } from '../http/bearer-tokens.js';
import { Route } from '../http/define-route.js';
import { AppModule } from './container.js';

const PPM_PER_BPS = 100;

/** The routes, and what they themselves decide by. */
export const httpModule = (policy: HttpPolicy): AppModule =>
  new AppModule(({ bind }) => {
    bind(HttpPolicy).toConstantValue(policy);
    bind(OpenApiDocument).toConstantValue({
      json: { ...buildOpenApi(ROUTES.map(({ definition }) => definition)) },
    });
    construct(bind(Route), WithdrawRoute, [SubmitWithdrawal, HttpPolicy]);
    construct(bind(Route), PrivateSwapRoute, [PrivateSwaps, HttpPolicy]);
    construct(bind(Route), DepositRoute, [RelayDeposit, HttpPolicy]);
    construct(bind(Route), DeployBatchRoute, [DeployBatch, OperatorTokens, HttpPolicy]);
    construct(bind(Route), PoolsRoute, [ListPools, FairValues, HttpPolicy, Clock, Logger]);
    construct(bind(Route), PoolStatusRoute, [
      GetPoolStatus,
      GetPoolCrowd,
      HttpPolicy,
      Clock,
      Logger,
    ]);
    construct(bind(Route), FeeEstimateRoute, [EstimateFee, HttpPolicy, Clock, Logger]);
    construct(bind(Route), QuoteRoute, [
      IssueQuote,
      GetPoolStatus,
      GetPoolCrowd,
      HttpPolicy,
      Clock,
    ]);
    construct(bind(Route), SubmissionRoute, [GetSubmission, SwapOutcomes, DepositOutcomes]);
    construct(bind(Route), LookUpSubmissionRoute, [LookUpSubmission, SwapOutcomes]);
    construct(bind(Route), StakingRoute, [ListStakingPools, Clock, Logger]);
    construct(bind(Route), CuratorRoute, [DeployIdleFunds, HttpPolicy]);
    construct(bind(Route), BridgeStatusRoute, [GetTransferStatus, Clock, Logger]);
    construct(bind(Route), BridgeQuoteRoute, [QuoteTransfer]);
    construct(bind(Route), BridgeRoutesRoute, [ListRoutes, Clock, Logger]);
    construct(bind(Route), OperatorStatusRoute, [GetOperatorStatus]);
    construct(bind(Route), PausePoolRoute, [ControlPools]);
    construct(bind(Route), ResumePoolRoute, [ControlPools]);
    construct(bind(Route), PauseLaneRoute, [ControlLanes]);
    construct(bind(Route), ResumeLaneRoute, [ControlLanes]);
    construct(bind(Route), StatusRoute, [GetServiceStatus, Clock, Logger]);
    construct(bind(Route), LiveRoute, []);
    construct(bind(Route), ReadyRoute, [Readiness]);
    construct(bind(Route), OpenApiRoute, [OpenApiDocument, Clock, Logger]);
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
