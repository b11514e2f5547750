import type { FaultEntry } from '@sotto/kernel';
import {
  AmountInvalid,
  AmountTooLow,
  BridgeQuoteUnusable,
  BridgeRecipientInvalid,
  ChainNotSupported,
  NoBridgeRoute,
  RefundAddressInvalid,
  RouteNotSupported,
  TokenNotSupported,
  TransferNotFound,
} from '@sotto/bridge-core';
import { curatorFaults } from '@sotto/curator-core';
import {
  BatchCountInvalid,
  BatchOutOfBounds,
  BatchTooLarge,
  BudgetExhausted,
  CallerBudgetExhausted,
  CommitmentExists,
  CommitmentInProgress,
  CommitmentInvalid,
  DeploymentInProgress,
  FeeAbovePoolMaximum,
  FeeTooLow,
  LeafIndexMismatch,
  LeafIndexNotApplicable,
  LeafIndexRequired,
  LeafUnknown,
  MinimumNotMet,
  NoQuotesAvailable,
  NullifierSpent,
  OutputTokenNotSupported,
  PoolNotSupported,
  NoteSwapsSuspended,
  PoolNotSwappable,
  PoolPaused,
  PoolWithoutDenomination,
  PriceImpactTooHigh,
  PriceUnavailable,
  ProofInvalid,
  PublicInputOutOfRange,
  QuoteExpired,
  QuoteExpiredAtAggregator,
  QuoteMismatch,
  QuoteUnknown,
  QuoteUsed,
  RecipientInvalid,
  RecipientNotSwapPool,
  RelayerMismatch,
  RootUnknown,
  SimulationReverted,
  SlippageOutOfRange,
  SlippageTooTight,
  SubmissionExpired,
  SubmissionRefused,
  SwapBelowFloor,
  SwapBuildRejected,
  SwapPinned,
  SwapPinsIncomplete,
  SwapRouteTooLong,
  WithdrawalInProgress,
  WithdrawalNotFound,
  WithdrawalUnprofitable,
  depositFaults,
  relayerFaults,
} from '@sotto/relayer-core';
import { stakingFaults } from '@sotto/staking-core';
import { LedgerBehindChain, PreviousAttemptNotFinal, QueueFull } from '@sotto/submission-core';
import { LaneNotFound } from '../operations/control-lanes.js';
import { BOUNDARY_FAULTS } from './errors.js';
import { AGGREGATOR_FAULTS, BRIDGE_FAULTS, NODE_FAULTS, STORE_FAULTS, VERIFIER_FAULTS } from './port-faults.js';
import { BridgeDisabled, DeploymentUndecided } from './service-faults.js';

/** The reader of the proof's layout has no class in the catalogue. */
const PROOF_LAYOUT = relayerFaults.filter(({ code }) => code === 'PROOF_LAYOUT_INVALID');

/** What keeps a pool from costing too much. */
const GUARD: readonly FaultEntry[] = [PoolPaused, BudgetExhausted];

/** What is on its way may still end without ever getting on chain. */
const SUBMISSION: readonly FaultEntry[] = [
  QueueFull,
  LedgerBehindChain,
  SubmissionRefused,
  SubmissionExpired,
  ...STORE_FAULTS,
  ...NODE_FAULTS,
];

/** What is wrong with a proof for whatever purpose. */
const PROOF: readonly FaultEntry[] = [
  PoolNotSupported,
  ...PROOF_LAYOUT,
  PublicInputOutOfRange,
  RelayerMismatch,
  ...GUARD,
  CallerBudgetExhausted,
  WithdrawalUnprofitable,
  FeeTooLow,
  FeeAbovePoolMaximum,
  BatchOutOfBounds,
  RootUnknown,
  NullifierSpent,
  WithdrawalInProgress,
  ProofInvalid,
  SimulationReverted,
  PriceUnavailable,
  ...VERIFIER_FAULTS,
  ...SUBMISSION,
];

/** What an estimate can't be made for. */
const ESTIMATED: readonly FaultEntry[] = [
  PoolNotSupported,
  PoolNotSwappable,
  LeafIndexRequired,
  LeafIndexNotApplicable,
  LeafUnknown,
  OutputTokenNotSupported,
  ...BOUNDARY_FAULTS.privateSwap,
];

/** Faults of the use cases, by use case. */
export const FAULTS_OF = {
  lookUp: [PoolNotSupported, ...PROOF_LAYOUT, PublicInputOutOfRange, ProofInvalid, WithdrawalNotFound, ...VERIFIER_FAULTS, ...STORE_FAULTS],
  /** What can't be read is told as null. */
  pools: [],
  poolStatus: [PoolNotSupported, PoolWithoutDenomination, ...NODE_FAULTS],
  feeEstimate: [...ESTIMATED, PriceUnavailable, ...NODE_FAULTS],
  quote: [...ESTIMATED, PriceUnavailable, WithdrawalUnprofitable, ...GUARD, ...STORE_FAULTS, ...NODE_FAULTS],
  withdraw: [
    LeafIndexNotApplicable,
    LeafIndexMismatch,
    LeafUnknown,
    OutputTokenNotSupported,
    RecipientInvalid,
    QuoteUnknown,
    QuoteExpired,
    QuoteUsed,
    QuoteMismatch,
    ...PROOF,
  ],
  deposit: [PoolNotSupported, PoolWithoutDenomination, CommitmentInvalid, ...depositFaults, ...GUARD, SimulationReverted, ...SUBMISSION],
  deployBatch: [
    PoolNotSupported,
    PoolWithoutDenomination,
    BatchCountInvalid,
    BatchTooLarge,
    DeploymentInProgress,
    ...GUARD,
    SimulationReverted,
    ...SUBMISSION,
  ],
  privateSwap: [
    ...BOUNDARY_FAULTS.privateSwap,
    PoolNotSwappable,
    SlippageOutOfRange,
    CommitmentInvalid,
    CommitmentExists,
    CommitmentInProgress,
    SwapPinned,
    SwapPinsIncomplete,
    OutputTokenNotSupported,
    RecipientNotSwapPool,
    NoteSwapsSuspended,
    ...PROOF,
    NoQuotesAvailable,
    QuoteExpiredAtAggregator,
    SlippageTooTight,
    PriceImpactTooHigh,
    MinimumNotMet,
    SwapBelowFloor,
    SwapBuildRejected,
    SwapRouteTooLong,
    ...AGGREGATOR_FAULTS,
  ],
  poolControl: [PoolNotSupported, ...STORE_FAULTS],
  laneControl: [LaneNotFound, ...STORE_FAULTS],
  operatorStatus: STORE_FAULTS,
  staking: stakingFaults,
  curator: [...curatorFaults, DeploymentUndecided, QueueFull, LedgerBehindChain, PreviousAttemptNotFinal, ...STORE_FAULTS, ...NODE_FAULTS],
  bridgeStatus: [BridgeDisabled, TransferNotFound, ...BRIDGE_FAULTS, ...STORE_FAULTS],
  bridgeQuote: [
    BridgeDisabled,
    ChainNotSupported,
    TokenNotSupported,
    RouteNotSupported,
    AmountInvalid,
    BridgeRecipientInvalid,
    RefundAddressInvalid,
    NoBridgeRoute,
    AmountTooLow,
    BridgeQuoteUnusable,
    ...BRIDGE_FAULTS,
  ],
  bridgeRoutes: [BridgeDisabled],
} as const satisfies Readonly<Record<string, readonly FaultEntry[]>>;
