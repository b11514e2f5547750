import { BridgeQuoteRoute } from './routes/bridge/bridge-quote.route.js';
import { BridgeRoutesRoute } from './routes/bridge/bridge-routes.route.js';
import { BridgeStatusRoute } from './routes/bridge/bridge-status.route.js';
import { CuratorRoute } from './routes/curator/curator.route.js';
import { LiveRoute } from './routes/health/live.route.js';
import { ReadyRoute } from './routes/health/ready.route.js';
import { OpenApiRoute } from './routes/meta/openapi.route.js';
import { StatusRoute } from './routes/meta/status.route.js';
import { PauseLaneRoute, ResumeLaneRoute } from './routes/operator/lane-control.routes.js';
import { OperatorStatusRoute } from './routes/operator/operator-status.route.js';
import { PausePoolRoute, ResumePoolRoute } from './routes/operator/pool-control.routes.js';
import { DeployBatchRoute } from './routes/relayer/deploy-batch.route.js';
import { DepositRoute } from './routes/relayer/deposit.route.js';
import { FeeEstimateRoute } from './routes/relayer/fee-estimate.route.js';
import { LookUpSubmissionRoute } from './routes/relayer/look-up-submission.route.js';
import { PoolStatusRoute } from './routes/relayer/pool-status.route.js';
import { PoolsRoute } from './routes/relayer/pools.route.js';
import { PrivateSwapRoute } from './routes/relayer/private-swap.route.js';
import { QuoteRoute } from './routes/relayer/quote.route.js';
import { SubmissionRoute } from './routes/relayer/submission.route.js';
import { WithdrawRoute } from './routes/relayer/withdraw.route.js';
import { StakingRoute } from './routes/staking/staking.route.js';

/** Every route of the service, in the order in which it is documented. */
export const ROUTES = [
  WithdrawRoute,
  PrivateSwapRoute,
  DepositRoute,
  DeployBatchRoute,
  PoolsRoute,
  PoolStatusRoute,
  FeeEstimateRoute,
  QuoteRoute,
  SubmissionRoute,
  LookUpSubmissionRoute,
  StakingRoute,
  CuratorRoute,
  BridgeStatusRoute,
  BridgeQuoteRoute,
  BridgeRoutesRoute,
  OperatorStatusRoute,
  PausePoolRoute,
  ResumePoolRoute,
  PauseLaneRoute,
  ResumeLaneRoute,
  StatusRoute,
  LiveRoute,
  ReadyRoute,
  OpenApiRoute,
] as const;
