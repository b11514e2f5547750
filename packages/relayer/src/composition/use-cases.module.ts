import { GetTransferStatus, ListRoutes, QuoteTransfer } from '@sotto/bridge-core';
import { DeployIdleFunds, ListVaults, SetLeverageTarget } from '@sotto/curator-core';
import { GetMayerMultiple, ListOrders } from '@sotto/dca-core';
import { ControlTasks, GetKeeperStatus } from '@sotto/keeper-core';
import {
  ControlLanes,
  ControlPools,
  DeployBatch,
  DepositOutcomes,
  EstimateFee,
  FollowOperations,
  GetOperatorSeries,
  GetOperatorStatus,
  GetPoolCrowd,
  GetPoolStatus,
  GetServiceStatus,
  GetSubmission,
  IssueQuote,
  ListPools,
  ListSubmissions,
  LookUpSubmission,
  QuoteSwap,
  OperateSubmission,
  RecordAction,
  RelayDeposit,
  SubmitWithdrawal,
  SwapOutcomes,
} from '@sotto/relayer-core';
import { FairValues } from '@sotto/market-core';
import { ListStakingPools } from '@sotto/staking-core';
import { NotifySubmission } from '@sotto/webhook-core';
import { NamedUseCases, PrivateSwaps } from './bindings.js';
import { AppModule, assemble } from './container.js';

/** All use cases by their names, for programs that know no container. */
export const useCasesModule = new AppModule(({ bind }) => {
  assemble(
    bind(NamedUseCases),
    {
      submitWithdrawal: SubmitWithdrawal,
      privateSwaps: PrivateSwaps,
      relayDeposit: RelayDeposit,
      deployBatch: DeployBatch,
      getSubmission: GetSubmission,
      lookUpSubmission: LookUpSubmission,
      notifySubmission: NotifySubmission,
      swapOutcomes: SwapOutcomes,
      depositOutcomes: DepositOutcomes,
      listPools: ListPools,
      getPoolStatus: GetPoolStatus,
      getPoolCrowd: GetPoolCrowd,
      estimateFee: EstimateFee,
      issueQuote: IssueQuote,
      quoteSwap: QuoteSwap,
      fairValues: FairValues,
      listStakingPools: ListStakingPools,
      deployIdleFunds: DeployIdleFunds,
      listVaults: ListVaults,
      quoteTransfer: QuoteTransfer,
      getTransferStatus: GetTransferStatus,
      listRoutes: ListRoutes,
      getServiceStatus: GetServiceStatus,
      getOperatorStatus: GetOperatorStatus,
      controlPools: ControlPools,
      controlLanes: ControlLanes,
      listSubmissions: ListSubmissions,
      operateSubmission: OperateSubmission,
      followOperations: FollowOperations,
      getOperatorSeries: GetOperatorSeries,
      recordAction: RecordAction,
      getKeeperStatus: GetKeeperStatus,
      controlTasks: ControlTasks,
      getMayerMultiple: GetMayerMultiple,
      listOrders: ListOrders,
      setLeverageTarget: SetLeverageTarget,
    },
    (all) => ({ all }),
  );
});
