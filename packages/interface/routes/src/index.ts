import { bridgeQuote, bridgeRoutes, bridgeStatus } from './bridge.js';
import {
  keeperMayer,
  keeperOrders,
  keeperStatus,
  pauseTask,
  resumeTask,
  setLeverage,
} from './keeper.js';
import { operatorStatus, pauseLane, pausePool, resumeLane, resumePool } from './operator.js';
import { auditLog, operatorEvents, operatorSeries } from './operator-records.js';
import {
  cancelSubmission,
  exportSubmissions,
  operatedSubmission,
  operatedSubmissions,
  retrySubmission,
  searchSubmissions,
} from './operator-submissions.js';
import { paymaster } from './paymaster/route.js';
import { deployBatch } from './relayer/deploy-batch.js';
import { deposit } from './relayer/deposit.js';
import { feeEstimate, quote } from './relayer/fees.js';
import { CIRCUIT, PUBLIC_INPUTS, poolStatus, pools } from './relayer/pools.js';
import { privateAction } from './relayer/private-action.js';
import { privateSwap } from './relayer/private-swap.js';
import { swapQuote } from './relayer/swap-quote.js';
import { lookUp, submission, submissionEvents } from './relayer/submissions.js';
import { withdraw } from './relayer/withdraw.js';
import { live, openApi, ready, serving, status } from './service.js';
import { vaults } from './vaults.js';
import { curator, staking } from './yields.js';

/** All routes of the service, in the sequence in which they are documented. */
export const ROUTES = [
  withdraw,
  privateSwap,
  deposit,
  deployBatch,
  privateAction,
  paymaster,
  pools,
  poolStatus,
  feeEstimate,
  quote,
  swapQuote,
  submission,
  submissionEvents,
  lookUp,
  staking,
  curator,
  vaults,
  bridgeStatus,
  bridgeQuote,
  bridgeRoutes,
  keeperStatus,
  keeperMayer,
  keeperOrders,
  operatorStatus,
  pausePool,
  resumePool,
  pauseLane,
  resumeLane,
  operatedSubmissions,
  exportSubmissions,
  searchSubmissions,
  operatedSubmission,
  retrySubmission,
  cancelSubmission,
  operatorEvents,
  operatorSeries,
  auditLog,
  pauseTask,
  resumeTask,
  setLeverage,
  status,
  live,
  ready,
  serving,
  openApi,
] as const;

export {
  auditLog,
  bridgeQuote,
  bridgeRoutes,
  bridgeStatus,
  cancelSubmission,
  curator,
  vaults,
  deployBatch,
  deposit,
  exportSubmissions,
  feeEstimate,
  keeperMayer,
  keeperOrders,
  keeperStatus,
  live,
  lookUp,
  openApi,
  operatedSubmission,
  operatedSubmissions,
  operatorEvents,
  operatorSeries,
  operatorStatus,
  pauseLane,
  pausePool,
  pauseTask,
  paymaster,
  poolStatus,
  pools,
  privateAction,
  privateSwap,
  quote,
  ready,
  serving,
  resumeLane,
  resumePool,
  resumeTask,
  retrySubmission,
  searchSubmissions,
  setLeverage,
  staking,
  status,
  submission,
  submissionEvents,
  swapQuote,
  withdraw,
};
export { CIRCUIT, PUBLIC_INPUTS };
export { BOUNDARY_CODES, codesOf, declaredCodesOf, type CodeOf } from './codes.js';
export {
  describeRoute,
  type Credential,
  type LimitedGroup,
  type RouteDefinition,
} from './definition.js';
export * as limits from './limits.js';
export type {
  DepositResult,
  Submission,
  SwapResult,
  TransactionResult,
} from './relayer/transactions.js';
export {
  PAYMASTER_METHODS,
  type PaymasterParameters,
  type PaymasterTransaction,
} from './paymaster/methods.js';
export { STATUS_PARTS } from './operator.js';
export { EXAMPLE_INPUT_POOL, EXAMPLE_POOL, EXAMPLE_SWAP_POOL, ErrorBody } from './schemas.js';
export { TAGS } from './tags.js';
