import { describe, expect, it } from '@jest/globals';
import { GetTransferStatus, QuoteTransfer, STEP_NAMES } from '@sotto/bridge-core';
import { DeployIdleFunds, SetLeverageTarget } from '@sotto/curator-core';
import { GetMayerMultiple, ListOrders } from '@sotto/dca-core';
import { CODES_OF, type ErrorCode } from '@sotto/facts';
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
  QuotePrivateAction,
  QuoteSwap,
  RecordAction,
  RelayDeposit,
  SubmitPrivateAction,
  SubmitWithdrawal,
} from '@sotto/relayer-core';
import { DEFAULT_SLIPPAGE_PPM, MAX_SLIPPAGE_PPM } from '@sotto/market-core';
import { limits } from '@sotto/routes';
import { ListStakingPools } from '@sotto/staking-core';
import { FINDING_CODES } from '@sotto/submission-core';

const PPM = 1_000_000;

/**
 * Error codes that the use case of each route lists. A route without a use case has the codes of
 * its handler.
 */
const THROWN: Readonly<Record<keyof typeof CODES_OF, readonly ErrorCode[]>> = {
  submission: GetSubmission.throws,
  lookUp: LookUpSubmission.throws,
  status: GetServiceStatus.throws,
  pools: [],
  poolStatus: GetPoolStatus.throws,
  feeEstimate: EstimateFee.throws,
  quote: IssueQuote.throws,
  swapQuote: QuoteSwap.throws,
  privateAction: SubmitPrivateAction.throws,
  privateActionQuote: QuotePrivateAction.throws,
  withdraw: SubmitWithdrawal.throws,
  deposit: RelayDeposit.throws,
  deployBatch: DeployBatch.throws,
  privateSwap: ExecutePrivateSwap.throws,
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
  keeperMayer: GetMayerMultiple.throws,
  keeperOrders: ListOrders.throws,
  taskControl: ControlTasks.throws,
  leverage: SetLeverageTarget.throws,
  staking: ListStakingPools.throws,
  vaults: [],
  curator: DeployIdleFunds.throws,
  bridgeStatus: GetTransferStatus.throws,
  bridgeQuote: QuoteTransfer.throws,
  bridgeRoutes: ['BRIDGE_DISABLED'],
};

describe('the interface as data', () => {
  it.each(Object.entries(THROWN))(
    'the interface package lists the code of every error that the use case %s throws',
    (useCase, thrown) => {
      const named: readonly string[] = new Map(Object.entries(CODES_OF)).get(useCase) ?? [];
      expect([...new Set(named)].toSorted()).toEqual([...new Set(thrown)].toSorted());
    },
  );

  it('the interface package has the same limits and names as the domain packages', () => {
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
