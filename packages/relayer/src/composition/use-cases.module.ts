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

import { PrivateSwaps } from './bindings.js';
import { AppModule, assemble, type Identifier, type Service } from './container.js';

/** Declares a service and those of its methods that callers can use. */
const asked = <T, Name extends keyof T>(
  service: Identifier<T>,
  ..._methods: readonly Name[]
): Identifier<Pick<T, Name>> => service;

/**
 * Use cases of a relayer. The use cases reject with a `DomainError` whose code is in the catalogue.
 * A use case that the settings disable rejects with a separate code.
 */
const USE_CASES = {
  // Use cases for transactions and their outcomes.
  submitWithdrawal: asked(SubmitWithdrawal, 'execute', 'dryRun'),
  /** Rejects with PRIVATE_SWAP_DISABLED without an aggregator or a swap owner. */
  privateSwaps: asked(PrivateSwaps, 'execute', 'dryRun'),
  relayDeposit: asked(RelayDeposit, 'execute'),
  deployBatch: asked(DeployBatch, 'execute'),
  getSubmission: asked(GetSubmission, 'execute'),
  lookUpSubmission: asked(LookUpSubmission, 'execute'),
  /** Rejects an endpoint that the settings do not register with WEBHOOK_UNKNOWN. */
  notifySubmission: asked(NotifySubmission, 'check', 'checkBeginner', 'begun', 'add'),
  swapOutcomes: asked(SwapOutcomes, 'describe'),
  depositOutcomes: asked(DepositOutcomes, 'describe'),

  // Use cases for pools and fees.
  listPools: asked(ListPools, 'execute'),
  getPoolStatus: asked(GetPoolStatus, 'execute'),
  getPoolCrowd: asked(GetPoolCrowd, 'execute', 'ofBatch'),
  estimateFee: asked(EstimateFee, 'execute'),
  issueQuote: asked(IssueQuote, 'execute'),
  /** Rejects with PRIVATE_SWAP_DISABLED without an aggregator or a swap owner. */
  quoteSwap: asked(QuoteSwap, 'execute'),
  fairValues: asked(FairValues, 'offered'),

  // Use cases for yields, vaults and the bridge.
  /** Lists lending pools; the list is empty if the profile has no lending pools. */
  listStakingPools: asked(ListStakingPools, 'execute'),
  /**
   * Sends as the curator: only callers that are authorized for the curator should reach this use
   * case.
   */
  deployIdleFunds: asked(DeployIdleFunds, 'execute', 'dryRun'),
  listVaults: asked(ListVaults, 'execute'),
  /** Use cases of the bridge reject with BRIDGE_DISABLED if no bridge is configured. */
  quoteTransfer: asked(QuoteTransfer, 'execute'),
  getTransferStatus: asked(GetTransferStatus, 'execute'),
  listRoutes: asked(ListRoutes, 'execute'),

  // Use cases for the public status and the operator's controls.
  getServiceStatus: asked(GetServiceStatus, 'execute'),
  getOperatorStatus: asked(GetOperatorStatus, 'execute', 'lane'),
  controlPools: asked(ControlPools, 'list', 'pause', 'resume'),
  controlLanes: asked(ControlLanes, 'pause', 'resume'),
  listSubmissions: asked(ListSubmissions, 'page', 'all', 'search'),
  operateSubmission: asked(OperateSubmission, 'inspect', 'retry', 'cancel'),
  followOperations: asked(FollowOperations, 'execute'),
  getOperatorSeries: asked(GetOperatorSeries, 'execute'),
  /** Runs an action of an operator and records the action with its outcome. */
  recordAction: asked(RecordAction, 'execute', 'page'),

  // Use cases for automatic tasks. The use cases of a disabled task reject with TASK_DISABLED.
  getKeeperStatus: asked(GetKeeperStatus, 'execute', 'lastKnown'),
  controlTasks: asked(ControlTasks, 'pause', 'resume'),
  getMayerMultiple: asked(GetMayerMultiple, 'execute'),
  listOrders: asked(ListOrders, 'execute'),
  setLeverageTarget: asked(SetLeverageTarget, 'execute'),
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
