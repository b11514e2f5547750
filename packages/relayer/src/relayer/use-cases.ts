import type { GetTransferStatus, ListRoutes, QuoteTransfer } from '@sotto/bridge-core';
import type { DeployIdleFunds, ListVaults, SetLeverageTarget } from '@sotto/curator-core';
import type { GetMayerMultiple, ListOrders } from '@sotto/dca-core';
import type { ControlTasks, GetKeeperStatus } from '@sotto/keeper-core';
import type {
  ControlLanes,
  ControlPools,
  DeployBatch,
  DepositOutcomes,
  EstimateFee,
  ExecutePrivateSwap,
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
import type { FairValues } from '@sotto/market-core';
import type { ListStakingPools } from '@sotto/staking-core';
import type { NotifySubmission } from '@sotto/webhook-core';

/**
 * What a relayer can be asked for. Refusals are a `DomainError` with a code of the catalogue; what
 * the settings leave out is refused with a code that says so.
 */
export interface UseCases {
  // Transactions, and what became of them.
  readonly submitWithdrawal: Pick<SubmitWithdrawal, 'execute' | 'dryRun'>;
  /** Refuses with PRIVATE_SWAP_DISABLED where no aggregator and swap owner are given. */
  readonly privateSwaps: Pick<ExecutePrivateSwap, 'execute' | 'dryRun'>;
  readonly relayDeposit: Pick<RelayDeposit, 'execute'>;
  readonly deployBatch: Pick<DeployBatch, 'execute'>;
  readonly getSubmission: Pick<GetSubmission, 'execute'>;
  readonly lookUpSubmission: Pick<LookUpSubmission, 'execute'>;
  /** Refuses with WEBHOOK_UNKNOWN what the settings do not register. */
  readonly notifySubmission: Pick<NotifySubmission, 'check' | 'checkBeginner' | 'begun' | 'add'>;
  readonly swapOutcomes: Pick<SwapOutcomes, 'describe'>;
  readonly depositOutcomes: Pick<DepositOutcomes, 'describe'>;

  // Pools and fees.
  readonly listPools: Pick<ListPools, 'execute'>;
  readonly getPoolStatus: Pick<GetPoolStatus, 'execute'>;
  readonly getPoolCrowd: Pick<GetPoolCrowd, 'execute' | 'ofBatch'>;
  readonly estimateFee: Pick<EstimateFee, 'execute'>;
  readonly issueQuote: Pick<IssueQuote, 'execute'>;
  /** Refuses with PRIVATE_SWAP_DISABLED as private swaps do. */
  readonly quoteSwap: Pick<QuoteSwap, 'execute'>;
  readonly fairValues: Pick<FairValues, 'offered'>;

  // Yields, vaults and the bridge.
  /** Empty where the profile has no lending pools. */
  readonly listStakingPools: Pick<ListStakingPools, 'execute'>;
  /** Sends as the curator, so that only who may act for it should reach this. */
  readonly deployIdleFunds: Pick<DeployIdleFunds, 'execute' | 'dryRun'>;
  readonly listVaults: Pick<ListVaults, 'execute'>;
  /** These refuse with BRIDGE_DISABLED where no bridge is given. */
  readonly quoteTransfer: Pick<QuoteTransfer, 'execute'>;
  readonly getTransferStatus: Pick<GetTransferStatus, 'execute'>;
  readonly listRoutes: Pick<ListRoutes, 'execute'>;

  // What it says of itself in public, and the operator's controls.
  readonly getServiceStatus: Pick<GetServiceStatus, 'execute'>;
  readonly getOperatorStatus: Pick<GetOperatorStatus, 'execute' | 'lane'>;
  readonly controlPools: Pick<ControlPools, 'list' | 'pause' | 'resume'>;
  readonly controlLanes: Pick<ControlLanes, 'pause' | 'resume'>;
  readonly listSubmissions: Pick<ListSubmissions, 'page' | 'all' | 'search'>;
  readonly operateSubmission: Pick<OperateSubmission, 'inspect' | 'retry' | 'cancel'>;
  readonly followOperations: Pick<FollowOperations, 'execute'>;
  readonly getOperatorSeries: Pick<GetOperatorSeries, 'execute'>;
  /** Keeps what is done for an operator, and what became of it. */
  readonly recordAction: Pick<RecordAction, 'execute' | 'page'>;

  // The tasks that it does by itself. Those that are off refuse with TASK_DISABLED.
  readonly getKeeperStatus: Pick<GetKeeperStatus, 'execute' | 'lastKnown'>;
  readonly controlTasks: Pick<ControlTasks, 'pause' | 'resume'>;
  readonly getMayerMultiple: Pick<GetMayerMultiple, 'execute'>;
  readonly listOrders: Pick<ListOrders, 'execute'>;
  readonly setLeverageTarget: Pick<SetLeverageTarget, 'execute'>;
}
