import type { HttpSwapAggregator, ImpulsePriceSource } from '@sotto/adapter-aggregator';
import type { HttpBridgeProtocol, OneClickBridgeProtocol } from '@sotto/adapter-bridge';
import type { HttpRewardProgramme } from '@sotto/adapter-rewards';
import type { NodeClient, StarknetAccountSigner, StarknetNodeHealthCheck } from '@sotto/adapter-starknet';
import type { OpenedStore } from '@sotto/adapter-store';
import type { BridgeProtocol, GetTransferStatus, ListRoutes, QuoteTransfer, TransferStore } from '@sotto/bridge-core';
import type { CuratedCalls, DeployIdleFunds, VaultFunds } from '@sotto/curator-core';
import type { WorkerProofVerifier } from '@sotto/groth16';
import type { Clock, Felt, Logger } from '@sotto/kernel';
import type {
  BlockClock,
  CallSimulator,
  SubmissionLocks,
  ContractClasses,
  ControlPools,
  DeployBatch,
  PoolHistory,
  ConsentCheck,
  DepositFunds,
  DepositOutcomes,
  DepositReader,
  GetServiceStatus,
  EstimateFee,
  ExclusiveLocks,
  ExecutePrivateSwap,
  FairValues,
  FillSwapPins,
  FairSemaphore,
  GasBook,
  GasPriceSource,
  GasReceipts,
  GetPoolCrowd,
  GetPoolStatus,
  GetSubmission,
  InspectContracts,
  IssueQuote,
  LearnGas,
  ListPools,
  LookUpSubmission,
  MarketPrices,
  SettlementHistory,
  SettlementWindow,
  PoolControls,
  PoolDeposits,
  PoolCircuitBreaker,
  PoolReader,
  PoolStatusReader,
  PoolTraffic,
  PriceSource,
  PriceSources,
  ProofVerifier,
  QuoteStore,
  QuoteRedemption,
  QuoteSigner,
  RelayDeposit,
  RelayedCalls,
  SpentNotes,
  SpentNullifiers,
  StatusSigner,
  SubmitWithdrawal,
  SwapDeposits,
  SwapLeaves,
  SwapOutcomes,
  TrafficBook,
  SwapPins,
  SwapRecords,
  SwapTries,
  SwapVerdicts,
  WithdrawalAdmission,
} from '@sotto/relayer-core';
import type { BtcPriceSource, LendingPoolReader, ListStakingPools, RewardProgramme } from '@sotto/staking-core';
import type {
  AccountCheck,
  AccountHistory,
  Auditor,
  Broadcaster,
  CallReader,
  ChainReader,
  SubmissionNotifier,
  FailpointHook,
  InstanceBus,
  Ledger,
  NonceHistory,
  Revalidator,
  SubmissionEngine,
  Submissions,
  TransactionSigner,
} from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';
import type { NetworkProfile } from '../config/network-profile.js';
import type { BearerTokens } from '../http/bearer-tokens.js';
import type { Route } from '../http/define-route.js';
import type { InFlight } from '../http/middleware/in-flight.js';
import type { BackgroundTask } from '../lifecycle/background-tasks.js';
import type { Connections } from '../lifecycle/connections.js';
import type { ControlLanes } from '../operations/control-lanes.js';
import type { GetOperatorStatus } from '../operations/get-operator-status.js';
import type { Readiness } from '../readiness/readiness.js';

// What routes know of the use cases.
export type SubmitsWithdrawals = Pick<SubmitWithdrawal, 'execute' | 'dryRun'>;
export type GetsSubmissions = Pick<GetSubmission, 'execute'>;
export type LooksUpSubmissions = Pick<LookUpSubmission, 'execute'>;
export type GetsPoolStatus = Pick<GetPoolStatus, 'execute'>;
export type GetsPoolCrowd = Pick<GetPoolCrowd, 'execute' | 'ofBatch'>;
export type EstimatesFees = Pick<EstimateFee, 'execute'>;
export type IssuesQuotes = Pick<IssueQuote, 'execute'>;
export type ListsPools = Pick<ListPools, 'execute'>;
export type DeploysBatches = Pick<DeployBatch, 'execute'>;
export type RelaysDeposits = Pick<RelayDeposit, 'execute'>;
export type DescribesDeposits = Pick<DepositOutcomes, 'describe'>;
export type SwapsPrivately = Pick<ExecutePrivateSwap, 'execute' | 'dryRun'>;
export type OffersTokens = Pick<FairValues, 'offered'>;
export type DescribesSwaps = Pick<SwapOutcomes, 'describe'>;
export type ListsStakingPools = Pick<ListStakingPools, 'execute'>;
export type DeploysIdleFunds = Pick<DeployIdleFunds, 'execute'>;
export type QuotesTransfers = Pick<QuoteTransfer, 'execute'>;
export type GetsTransferStatus = Pick<GetTransferStatus, 'execute'>;
export type ListsBridgeRoutes = Pick<ListRoutes, 'execute'>;
export type ControlsPools = Pick<ControlPools, 'pause' | 'resume' | 'list'>;
export type DescribesService = Pick<GetServiceStatus, 'execute'>;
export type DescribesOperations = Pick<GetOperatorStatus, 'execute' | 'lane'>;
export type ControlsLanes = Pick<ControlLanes, 'pause' | 'resume'>;
export type ReportsReadiness = Pick<Readiness, 'report' | 'stop'>;

/** What of a pool's profile decides how the API presents it. */
export type PoolPresentation = Pick<NetworkProfile['pools'][number], 'kind' | 'denominationDivisor'>;

/** What the routes themselves decide by. */
export interface HttpPolicy {
  readonly waitForConfirmationMs: number;
  /** How the API presents the served pools, by address. */
  readonly pools: ReadonlyMap<Felt, PoolPresentation>;
  /** What callers must know of private swaps; null when there are none. */
  readonly swap: {
    readonly swapPool: Felt;
    /** Least tolerance, in millionths. */
    readonly minSlippagePpm: number;
    /** How far a swap may fall short of its fair value, in hundredths of a percent. */
    readonly maxPriceImpactBps: number;
  } | null;
}

/** The OpenAPI document as it is served. */
export type OpenApiJson = Readonly<Record<string, unknown>>;

// Tokens of what is no port; ports bring their own.
export const NodeClientToken: unique symbol = Symbol.for('@sotto/api/NodeClient');
export const NodeHealthCheckToken: unique symbol = Symbol.for('@sotto/api/NodeProbe');
export const AccountSignerToken: unique symbol = Symbol.for('@sotto/api/AccountSigner');
export const OpenedStoreToken: unique symbol = Symbol.for('@sotto/api/OpenedStore');
export const WorkerVerifierToken: unique symbol = Symbol.for('@sotto/api/WorkerVerifier');
export const MetricsToken: unique symbol = Symbol.for('@sotto/api/Metrics');
export const FailpointHookToken: unique symbol = Symbol.for('@sotto/api/CheckpointHook');
export const ChangesToken: unique symbol = Symbol.for('@sotto/api/Changes');
export const EngineToken: unique symbol = Symbol.for('@sotto/api/SubmissionEngine');
export const OraclePricesToken: unique symbol = Symbol.for('@sotto/api/OraclePrices');
/** Bound only where the settings name a second source. */
export const PriceApiToken: unique symbol = Symbol.for('@sotto/api/PriceApi');
/** Bound only where there are private swaps, as SwapDeposits is. */
export const AggregatorToken: unique symbol = Symbol.for('@sotto/api/Aggregator');
export const MarketPricesToken: unique symbol = Symbol.for('@sotto/api/MarketPrices');
export const AdmissionToken: unique symbol = Symbol.for('@sotto/api/WithdrawalAdmission');
export const SubmitWithdrawalToken: unique symbol = Symbol.for('@sotto/api/SubmitWithdrawal');
export const GetSubmissionToken: unique symbol = Symbol.for('@sotto/api/GetSubmission');
export const LookUpSubmissionToken: unique symbol = Symbol.for('@sotto/api/LookUpSubmission');
export const CuratedCallsToken: unique symbol = Symbol.for('@sotto/api/CuratedCalls');
export const RelayedCallsToken: unique symbol = Symbol.for('@sotto/api/RelayedCalls');
export const AuditorToken: unique symbol = Symbol.for('@sotto/api/Auditor');
export const SpentNotesToken: unique symbol = Symbol.for('@sotto/api/SpentNotes');
export const QuoteRedemptionToken: unique symbol = Symbol.for('@sotto/api/QuoteCitations');
export const GetPoolCrowdToken: unique symbol = Symbol.for('@sotto/api/GetPoolCrowd');
export const GetPoolStatusToken: unique symbol = Symbol.for('@sotto/api/GetPoolStatus');
export const EstimateFeeToken: unique symbol = Symbol.for('@sotto/api/EstimateFee');
export const InspectContractsToken: unique symbol = Symbol.for('@sotto/api/InspectContracts');
export const IssueQuoteToken: unique symbol = Symbol.for('@sotto/api/IssueQuote');
export const LearnGasToken: unique symbol = Symbol.for('@sotto/api/LearnGas');
export const ListPoolsToken: unique symbol = Symbol.for('@sotto/api/ListPools');
export const DeployBatchToken: unique symbol = Symbol.for('@sotto/api/DeployBatch');
export const RelayDepositToken: unique symbol = Symbol.for('@sotto/api/RelayDeposit');
export const DepositOutcomesToken: unique symbol = Symbol.for('@sotto/api/DepositOutcomes');
export const DepositFundsToken: unique symbol = Symbol.for('@sotto/api/DepositFunds');
export const PoolTrafficToken: unique symbol = Symbol.for('@sotto/api/PoolTraffic');
export const ExecutePrivateSwapToken: unique symbol = Symbol.for('@sotto/api/ExecutePrivateSwap');
/** What may be swapped into, and what it is worth. */
export const FairValuesToken: unique symbol = Symbol.for('@sotto/api/FairValues');
/** Bound only where there are private swaps. */
export const FillSwapPinsToken: unique symbol = Symbol.for('@sotto/api/FillSwapPins');
/** Bound only where there are private swaps, with all that they can do. */
export const SwapperToken: unique symbol = Symbol.for('@sotto/api/Swapper');
export const SwapTriesToken: unique symbol = Symbol.for('@sotto/api/SwapTries');
/** Submissions as the machine reports them, each try of a swap by itself. */
export const MachineToken: unique symbol = Symbol.for('@sotto/api/Machine');
export const SwapOutcomesToken: unique symbol = Symbol.for('@sotto/api/SwapOutcomes');
/** Bound only where the settings name its address. */
export const RewardsApiToken: unique symbol = Symbol.for('@sotto/api/RewardsApi');
export const ListStakingPoolsToken: unique symbol = Symbol.for('@sotto/api/ListStakingPools');
export const CuratorTokensToken: unique symbol = Symbol.for('@sotto/api/CuratorTokens');
export const DeployIdleFundsToken: unique symbol = Symbol.for('@sotto/api/DeployIdleFunds');
/** Bound only where there is a bridge, as BridgeProtocol is. */
export const BridgeClientToken: unique symbol = Symbol.for('@sotto/api/BridgeClient');
export const QuoteTransferToken: unique symbol = Symbol.for('@sotto/api/QuoteTransfer');
export const GetTransferStatusToken: unique symbol = Symbol.for('@sotto/api/GetTransferStatus');
export const ListBridgeRoutesToken: unique symbol = Symbol.for('@sotto/api/ListBridgeRoutes');
export const SlotsToken: unique symbol = Symbol.for('@sotto/api/AdmissionSlots');
export const ConnectionsToken: unique symbol = Symbol.for('@sotto/api/Connections');
export const InFlightToken: unique symbol = Symbol.for('@sotto/api/InFlight');
export const SettlementWindowToken: unique symbol = Symbol.for('@sotto/api/MoneyView');
export const ExclusiveClaimsToken: unique symbol = Symbol.for('@sotto/api/ExclusiveClaims');
export const PoolCircuitBreakerToken: unique symbol = Symbol.for('@sotto/api/PoolGuard');
export const ControlPoolsToken: unique symbol = Symbol.for('@sotto/api/ControlPools');
export const OperatorTokensToken: unique symbol = Symbol.for('@sotto/api/OperatorTokens');
export const GetServiceStatusToken: unique symbol = Symbol.for('@sotto/api/DescribeService');
export const GetOperatorStatusToken: unique symbol = Symbol.for('@sotto/api/DescribeOperations');
export const ControlLanesToken: unique symbol = Symbol.for('@sotto/api/ControlLanes');
/** Bound once for every task. */
export const BackgroundTaskToken: unique symbol = Symbol.for('@sotto/api/BackgroundTask');
export const ReadinessToken: unique symbol = Symbol.for('@sotto/api/Readiness');
export const HttpPolicyToken: unique symbol = Symbol.for('@sotto/api/HttpPolicy');
export const OpenApiDocumentToken: unique symbol = Symbol.for('@sotto/api/OpenApiDocument');
/** Bound once for every route. */
export const RouteToken: unique symbol = Symbol.for('@sotto/api/Route');

/** Every service the container can hand out. The typed container checks each binding against this map. */
export interface Bindings {
  [Clock]: Clock;
  [Logger]: Logger;
  [MetricsToken]: Metrics;
  [NodeClientToken]: NodeClient;
  [NodeHealthCheckToken]: Pick<StarknetNodeHealthCheck, 'probe'>;
  [Broadcaster]: Broadcaster;
  [ChainReader]: ChainReader;
  [NonceHistory]: NonceHistory;
  [AccountHistory]: AccountHistory;
  [AccountCheck]: AccountCheck;
  [CallReader]: CallReader;
  [AccountSignerToken]: StarknetAccountSigner;
  [TransactionSigner]: TransactionSigner;
  [PoolReader]: PoolReader;
  [PoolHistory]: PoolHistory;
  [CallSimulator]: CallSimulator;
  [GasPriceSource]: GasPriceSource;
  [OraclePricesToken]: PriceSource;
  [PriceApiToken]: ImpulsePriceSource;
  [PriceSources]: readonly PriceSource[];
  [AggregatorToken]: HttpSwapAggregator;
  [SwapDeposits]: SwapDeposits;
  [SwapLeaves]: SwapLeaves;
  [OpenedStoreToken]: OpenedStore;
  [Ledger]: Ledger;
  [InstanceBus]: InstanceBus;
  [WorkerVerifierToken]: WorkerProofVerifier;
  [ProofVerifier]: ProofVerifier;
  [FailpointHookToken]: FailpointHook;
  [ChangesToken]: SubmissionNotifier;
  [Revalidator]: Revalidator;
  [EngineToken]: SubmissionEngine;
  [Submissions]: Submissions;
  [MarketPricesToken]: MarketPrices;
  [AdmissionToken]: WithdrawalAdmission;
  [PoolStatusReader]: PoolStatusReader;
  [BlockClock]: BlockClock;
  [QuoteSigner]: QuoteSigner;
  [QuoteStore]: QuoteStore;
  [SpentNullifiers]: SpentNullifiers;
  [CuratedCallsToken]: CuratedCalls;
  [RelayedCallsToken]: RelayedCalls;
  [AuditorToken]: Auditor;
  [SpentNotesToken]: SpentNotes;
  [QuoteRedemptionToken]: QuoteRedemption;
  [SubmitWithdrawalToken]: SubmitsWithdrawals;
  [GetSubmissionToken]: GetsSubmissions;
  [LookUpSubmissionToken]: LooksUpSubmissions;
  [GetPoolCrowdToken]: GetsPoolCrowd;
  [GetPoolStatusToken]: GetsPoolStatus;
  [EstimateFeeToken]: EstimatesFees;
  [ContractClasses]: ContractClasses;
  [InspectContractsToken]: InspectContracts;
  [IssueQuoteToken]: IssuesQuotes;
  [GasBook]: GasBook;
  [GasReceipts]: GasReceipts;
  [LearnGasToken]: LearnGas;
  [ListPoolsToken]: ListsPools;
  [DeployBatchToken]: DeploysBatches;
  [DepositReader]: DepositReader;
  [ConsentCheck]: ConsentCheck;
  [PoolDeposits]: PoolDeposits;
  [TrafficBook]: TrafficBook;
  [PoolTrafficToken]: PoolTraffic;
  [DepositFundsToken]: DepositFunds;
  [DepositOutcomesToken]: DescribesDeposits;
  [RelayDepositToken]: RelaysDeposits;
  [ExecutePrivateSwapToken]: SwapsPrivately;
  [FairValuesToken]: OffersTokens;
  [SwapOutcomesToken]: DescribesSwaps;
  [LendingPoolReader]: LendingPoolReader;
  [BtcPriceSource]: BtcPriceSource;
  [RewardsApiToken]: HttpRewardProgramme;
  [RewardProgramme]: RewardProgramme;
  [ListStakingPoolsToken]: ListsStakingPools;
  [VaultFunds]: VaultFunds;
  [CuratorTokensToken]: BearerTokens;
  [DeployIdleFundsToken]: DeploysIdleFunds;
  [BridgeClientToken]: HttpBridgeProtocol | OneClickBridgeProtocol;
  [BridgeProtocol]: BridgeProtocol;
  [TransferStore]: TransferStore;
  [QuoteTransferToken]: QuotesTransfers;
  [GetTransferStatusToken]: GetsTransferStatus;
  [ListBridgeRoutesToken]: ListsBridgeRoutes;
  [SettlementHistory]: SettlementHistory;
  [PoolControls]: PoolControls;
  [SubmissionLocks]: SubmissionLocks;
  [SwapPins]: SwapPins;
  [SwapRecords]: SwapRecords;
  [SwapVerdicts]: SwapVerdicts;
  [SwapTriesToken]: SwapTries;
  [SwapperToken]: ExecutePrivateSwap;
  [MachineToken]: Submissions;
  [FillSwapPinsToken]: FillSwapPins;
  [StatusSigner]: StatusSigner;
  [SlotsToken]: FairSemaphore;
  [ConnectionsToken]: Connections;
  [InFlightToken]: InFlight;
  [SettlementWindowToken]: SettlementWindow;
  [ExclusiveClaimsToken]: ExclusiveLocks;
  [PoolCircuitBreakerToken]: PoolCircuitBreaker;
  [ControlPoolsToken]: ControlsPools;
  [OperatorTokensToken]: BearerTokens;
  [GetServiceStatusToken]: DescribesService;
  [GetOperatorStatusToken]: DescribesOperations;
  [ControlLanesToken]: ControlsLanes;
  [BackgroundTaskToken]: BackgroundTask;
  [ReadinessToken]: ReportsReadiness;
  [HttpPolicyToken]: HttpPolicy;
  [OpenApiDocumentToken]: OpenApiJson;
  [RouteToken]: Route;
}
