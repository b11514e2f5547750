import type { Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import { liveRoute, readyRoute, servingRoute, type Runtime } from '@sotto/relayer/service';
import type { OperatorTokens } from './credentials.js';
import type { HttpPolicy } from './http-policy.js';
import { bridgeQuoteRoute, bridgeRoutesRoute, bridgeStatusRoute } from './routes/bridge.js';
import { feeEstimateRoute, quoteRoute } from './routes/fees.js';
import {
  keeperMayerRoute,
  keeperOrdersRoute,
  keeperStatusRoute,
  pauseTaskRoute,
  resumeTaskRoute,
  setLeverageRoute,
} from './routes/keeper.js';
import {
  operatorStatusRoute,
  pauseLaneRoute,
  pausePoolRoute,
  resumeLaneRoute,
  resumePoolRoute,
} from './routes/operator.js';
import {
  auditLogRoute,
  operatorEventsRoute,
  operatorSeriesRoute,
} from './routes/operator-records.js';
import {
  cancelSubmissionRoute,
  exportSubmissionsRoute,
  operatedSubmissionRoute,
  operatedSubmissionsRoute,
  retrySubmissionRoute,
  searchSubmissionsRoute,
} from './routes/operator-submissions.js';
import { paymasterRoute } from './routes/paymaster.js';
import { poolStatusRoute, poolsRoute } from './routes/pools.js';
import { privateActionRoute } from './routes/private-actions.js';
import {
  deployBatchRoute,
  depositRoute,
  lookUpRoute,
  privateSwapRoute,
  withdrawRoute,
} from './routes/relaying.js';
import { submissionEventsRoute, submissionRoute } from './routes/submissions.js';
import { swapQuoteRoute } from './routes/swaps.js';
import { openApiRoute, statusRoute } from './routes/service.js';
import { vaultsRoute } from './routes/vaults.js';
import { curatorRoute, stakingRoute } from './routes/yields.js';

/** The parts of a relayer that the routes use. */
export interface ServedRelayer extends UseCases, Pick<Runtime, 'clock'> {
  readonly readiness: Pick<Runtime['readiness'], 'report' | 'serving'>;
}

/** Returns all routes of a relayer. */
export function routesOf(
  relayer: ServedRelayer,
  policy: HttpPolicy,
  operators: OperatorTokens,
): readonly Route[] {
  const { clock, readiness } = relayer;
  return [
    withdrawRoute(relayer, policy),
    privateSwapRoute(relayer, policy),
    depositRoute(relayer, policy),
    deployBatchRoute(relayer, operators, policy),
    privateActionRoute(relayer, policy),
    paymasterRoute(relayer, policy),
    poolsRoute(relayer, policy),
    poolStatusRoute(relayer, policy, clock),
    feeEstimateRoute(relayer, policy),
    quoteRoute(relayer, policy, clock),
    swapQuoteRoute(relayer, policy),
    submissionRoute(relayer),
    submissionEventsRoute(relayer),
    lookUpRoute(relayer),
    stakingRoute(relayer),
    curatorRoute(relayer, policy),
    vaultsRoute(relayer),
    bridgeStatusRoute(relayer),
    bridgeQuoteRoute(relayer),
    bridgeRoutesRoute(relayer),
    operatorStatusRoute(relayer),
    pausePoolRoute(relayer),
    resumePoolRoute(relayer),
    pauseLaneRoute(relayer),
    resumeLaneRoute(relayer),
    operatedSubmissionsRoute(relayer),
    exportSubmissionsRoute(relayer),
    searchSubmissionsRoute(relayer),
    operatedSubmissionRoute(relayer),
    retrySubmissionRoute(relayer),
    cancelSubmissionRoute(relayer),
    operatorEventsRoute(relayer),
    operatorSeriesRoute(relayer),
    auditLogRoute(relayer),
    keeperStatusRoute(relayer),
    keeperMayerRoute(relayer),
    keeperOrdersRoute(relayer),
    pauseTaskRoute(relayer),
    resumeTaskRoute(relayer),
    setLeverageRoute(relayer),
    statusRoute(relayer),
    liveRoute(),
    readyRoute(readiness),
    servingRoute(readiness),
    openApiRoute(),
  ];
}
