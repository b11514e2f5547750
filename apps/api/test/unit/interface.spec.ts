import { describe, expect, it } from '@jest/globals';
import { GetTransferStatus, QuoteTransfer, STEP_NAMES } from '@sotto/bridge-core';
import { DeployIdleFunds, SetLeverageTarget } from '@sotto/curator-core';
import { GetMayerMultiple, ListOrders } from '@sotto/dca-core';
import { NODE_ERRORS, codesOf, type ErrorCode } from '@sotto/facts';
import { ControlTasks, GetKeeperStatus } from '@sotto/keeper-core';
import {
  ControlLanes,
  ControlPools,
  DeployBatch,
  EstimateFee,
  ExecutePrivateSwap,
  FollowOperations,
  GetOperatorSeries,
  GetOperatorStatus,
  GetPoolStatus,
  GetServiceStatus,
  GetSubmission,
  IssueQuote,
  ListSubmissions,
  LookUpSubmission,
  MAX_SIGNATURE_FELTS,
  OperateSubmission,
  PAUSED_FOR,
  QuoteSwap,
  RecordAction,
  RelayDeposit,
  SubmitWithdrawal,
} from '@sotto/relayer-core';
import { DEFAULT_SLIPPAGE_PPM, MAX_SLIPPAGE_PPM } from '@sotto/market-core';
import { CODES_OF, limits } from '@sotto/routes';
import { ListStakingPools } from '@sotto/staking-core';
import { NotifySubmission } from '@sotto/webhook-core';
import { FINDING_CODES } from '@sotto/submission-core';

const PPM = 1_000_000;

/** What the use case behind each route names, and what its handler adds. */
const THROWN: Readonly<Record<keyof typeof CODES_OF, readonly ErrorCode[]>> = {
  submission: GetSubmission.throws,
  lookUp: LookUpSubmission.throws,
  status: GetServiceStatus.throws,
  pools: [],
  poolStatus: GetPoolStatus.throws,
  feeEstimate: [...EstimateFee.throws, 'PRIVATE_SWAP_DISABLED'],
  quote: [...IssueQuote.throws, 'PRIVATE_SWAP_DISABLED'],
  swapQuote: ['PRIVATE_SWAP_DISABLED', ...QuoteSwap.throws],
  withdraw: [...SubmitWithdrawal.throws, ...NotifySubmission.throws],
  deposit: [...RelayDeposit.throws, ...NotifySubmission.throws],
  deployBatch: [...DeployBatch.throws, ...NotifySubmission.throws],
  privateSwap: ['PRIVATE_SWAP_DISABLED', ...ExecutePrivateSwap.throws, ...NotifySubmission.throws],
  poolControl: ControlPools.throws,
  laneControl: ControlLanes.throws,
  operatorStatus: GetOperatorStatus.throws,
  operatedSubmissions: ListSubmissions.throws,
  operatedSubmission: OperateSubmission.throws.inspect,
  retrySubmission: OperateSubmission.throws.retry,
  cancelSubmission: OperateSubmission.throws.cancel,
  auditLog: RecordAction.throws,
  operatorSeries: GetOperatorSeries.throws,
  operatorEvents: FollowOperations.throws,
  keeperStatus: GetKeeperStatus.throws,
  keeperMayer: ['TASK_DISABLED', ...GetMayerMultiple.throws, ...codesOf(NODE_ERRORS)],
  keeperOrders: ['TASK_DISABLED', ...ListOrders.throws, ...codesOf(NODE_ERRORS)],
  taskControl: ControlTasks.throws,
  leverage: ['TASK_DISABLED', ...SetLeverageTarget.throws],
  staking: ListStakingPools.throws,
  vaults: [],
  curator: [...DeployIdleFunds.throws, 'DEPLOYMENT_UNDECIDED'],
  bridgeStatus: [...GetTransferStatus.throws, 'BRIDGE_DISABLED'],
  bridgeQuote: [...QuoteTransfer.throws, 'BRIDGE_DISABLED'],
  bridgeRoutes: ['BRIDGE_DISABLED'],
};

describe('the interface as data', () => {
  it.each(Object.entries(THROWN))(
    'names the codes of every error of the use case: %s',
    (useCase, thrown) => {
      const named: readonly string[] = new Map(Object.entries(CODES_OF)).get(useCase) ?? [];
      expect([...new Set(named)].toSorted()).toEqual([...new Set(thrown)].toSorted());
    },
  );

  it('says of the domains what they do', () => {
    expect({ ...limits }).toEqual({
      PAUSED_FOR,
      MAX_SIGNATURE_FELTS,
      MAX_SLIPPAGE: MAX_SLIPPAGE_PPM / PPM,
      DEFAULT_SLIPPAGE: DEFAULT_SLIPPAGE_PPM / PPM,
      STEP_NAMES,
      FINDING_CODES,
    });
  });
});
