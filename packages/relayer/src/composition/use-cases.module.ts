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
  FollowSubmission,
  GetOperatorSeries,
  GetOperatorStatus,
  GetPoolCrowd,
  GetPoolDeposits,
  GetPoolStatus,
  GetServiceStatus,
  GetSubmission,
  IssueQuote,
  ListPools,
  ListSubmissions,
  LookUpSubmission,
  QuotePrivateAction,
  QuoteSwap,
  OperateSubmission,
  RecordAction,
  RelayDeposit,
  SubmitPrivateAction,
  SubmitWithdrawal,
  SwapOutcomes,
} from '@sotto/relayer-core';
import { FairValues } from '@sotto/market-core';
import { ListStakingPools } from '@sotto/staking-core';
import { NotifySubmission } from '@sotto/webhook-core';

import { PrivateSwaps } from './bindings.js';
import { AppModule, assemble, type Identifier, type Service } from './container.js';

/** Declares a service and the methods of this service that callers can use. */
const requested = <T, Name extends keyof T>(
  service: Identifier<T>,
  ..._methods: readonly Name[]
): Identifier<Pick<T, Name>> => service;

/**
 * Use cases of a relayer. The use cases reject with a `DomainError` whose code is in the catalogue.
 * If the settings disable a use case, it rejects with a code that shows this.
 */
const USE_CASES = {
  // Use cases for transactions and their outcomes.
  submitWithdrawal: requested(SubmitWithdrawal, 'execute', 'dryRun'),
  /** Without an aggregator or a swap owner in the settings, rejects with PRIVATE_SWAP_DISABLED. */
  privateSwaps: requested(PrivateSwaps, 'execute', 'dryRun'),
  relayDeposit: requested(RelayDeposit, 'execute', 'dryRun'),
  /** Without a privacy pool in the profile, both reject with POOL_NOT_SUPPORTED. */
  submitPrivateAction: requested(SubmitPrivateAction, 'execute', 'dryRun'),
  quotePrivateAction: requested(QuotePrivateAction, 'execute', 'tokens', 'isAvailable'),
  deployBatch: requested(DeployBatch, 'execute'),
  getSubmission: requested(GetSubmission, 'execute'),
  followSubmission: requested(FollowSubmission, 'read', 'wait', 'stream'),
  lookUpSubmission: requested(LookUpSubmission, 'execute'),
  /** If the settings do not register the endpoint, rejects with WEBHOOK_UNKNOWN. */
  notifySubmission: requested(NotifySubmission, 'check', 'checkBeginner', 'begun', 'add'),
  swapOutcomes: requested(SwapOutcomes, 'describe'),
  depositOutcomes: requested(DepositOutcomes, 'describe'),

  // Use cases for pools and fees.
  listPools: requested(ListPools, 'execute'),
  getPoolDeposits: requested(GetPoolDeposits, 'execute'),
  getPoolStatus: requested(GetPoolStatus, 'execute'),
  getPoolCrowd: requested(GetPoolCrowd, 'execute', 'ofBatch'),
  estimateFee: requested(EstimateFee, 'execute'),
  issueQuote: requested(IssueQuote, 'execute'),
  /** Without an aggregator or a swap owner in the settings, rejects with PRIVATE_SWAP_DISABLED. */
  quoteSwap: requested(QuoteSwap, 'execute'),
  fairValues: requested(FairValues, 'offered'),

  // Use cases for yields, vaults and the bridge.
  /** Lists lending pools; the list is empty if the profile has no lending pools. */
  listStakingPools: requested(ListStakingPools, 'execute'),
  /**
   * Sends transactions from the curator's account. Only callers that are authorized for the curator
   * may reach this use case.
   */
  deployIdleFunds: requested(DeployIdleFunds, 'execute', 'dryRun'),
  listVaults: requested(ListVaults, 'execute'),
  /** Use cases of the bridge reject with BRIDGE_DISABLED if no bridge is configured. */
  quoteTransfer: requested(QuoteTransfer, 'execute'),
  getTransferStatus: requested(GetTransferStatus, 'execute'),
  listRoutes: requested(ListRoutes, 'execute'),

  // Use cases for the public status and the operator's controls.
  getServiceStatus: requested(GetServiceStatus, 'execute'),
  getOperatorStatus: requested(GetOperatorStatus, 'execute', 'lane'),
  controlPools: requested(ControlPools, 'list', 'pause', 'resume'),
  controlLanes: requested(ControlLanes, 'pause', 'resume'),
  listSubmissions: requested(ListSubmissions, 'page', 'all', 'search'),
  operateSubmission: requested(OperateSubmission, 'inspect', 'retry', 'cancel'),
  followOperations: requested(FollowOperations, 'execute'),
  getOperatorSeries: requested(GetOperatorSeries, 'execute'),
  /** Runs an action of an operator and records the action with its outcome. */
  recordAction: requested(RecordAction, 'execute', 'page'),

  // Use cases for automatic tasks. The use cases of a disabled task reject with TASK_DISABLED.
  getKeeperStatus: requested(GetKeeperStatus, 'execute', 'lastKnown'),
  controlTasks: requested(ControlTasks, 'pause', 'resume'),
  getMayerMultiple: requested(GetMayerMultiple, 'execute'),
  listOrders: requested(ListOrders, 'execute'),
  setLeverageTarget: requested(SetLeverageTarget, 'execute'),
} as const;

/** All use cases by name, for programs that do not use the container. */
export type UseCases = {
  readonly [Name in keyof typeof USE_CASES]: Service<(typeof USE_CASES)[Name]>;
};

export abstract class NamedUseCases {
  abstract readonly all: UseCases;
}

export const useCasesModule = new AppModule(({ bind }) => {
  assemble(bind(NamedUseCases), USE_CASES, (all) => ({ all }));
});
