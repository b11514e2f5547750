export {
  CYCLE_GAS,
  FEE_MARGIN_PERCENT,
  MIN_SLIPPAGE_PPM,
  PRIVATE_SWAP_CYCLE_GAS,
  SMALL_BATCH_BELOW,
  WITHDRAWAL_LIMITS,
} from './figures.js';
export { FakePoolHistory } from './pools/fake-pool-history.js';
export { describePoolHistoryContract } from './pools/pool-history.contract.js';
export { FakeCallSimulator } from './relay/fake-call-simulator.js';
export { FakeConsentCheck } from './deposits/fake-consent-check.js';
export { FakePoolDeposits } from './deposits/fake-pool-deposits.js';
export { FakeContractClasses } from './pools/fake-contract-classes.js';
export { FakeGasReceipts } from './fees/fake-gas-receipts.js';
export { FakeLatestBlock } from './relay/fake-latest-block.js';
export { FakeProofVerifier } from './withdrawals/fake-proof-verifier.js';
export { FakeSpentNullifiers } from './relay/fake-spent-nullifiers.js';
export { FakeTypedDataSigner } from './relay/fake-typed-data-signer.js';
export { FakeSubmissions } from './relay/fake-submissions.js';
export { FakeSwapAggregator, type FakeRate } from './swaps/fake-swap-aggregator.js';
export { FakeSwapDeposits } from './swaps/fake-swap-deposits.js';
export { FixedPrices } from './fees/fixed-prices.js';
export { InMemorySubmissionLocks } from './relay/in-memory-submission-locks.js';
export {
  InMemoryDeposits,
  type InMemoryDepositor,
  type InMemoryDepositPool,
} from './deposits/in-memory-deposits.js';
export { InMemoryGasBook } from './fees/in-memory-gas-book.js';
export { InMemorySettlementHistory } from './circuit-breaker/in-memory-settlement-history.js';
export { InMemoryPoolControls } from './circuit-breaker/in-memory-pool-controls.js';
export { InMemoryPools, type InMemoryPool } from './pools/in-memory-pools.js';
export { InMemoryQuoteStore } from './fees/in-memory-quote-store.js';
export { InMemoryTrafficBook } from './deposits/in-memory-traffic-book.js';
export { InMemorySwapPins } from './swaps/in-memory-swap-pins.js';
export { InMemorySwapRecords } from './swaps/in-memory-swap-records.js';
export { InMemorySwapVerdicts } from './swaps/in-memory-swap-verdicts.js';
export {
  describeLatestBlockContract,
  type LatestBlockHarness,
} from './relay/latest-block.contract.js';
export {
  describeCallSimulatorContract,
  type CallSimulatorHarness,
} from './relay/call-simulator.contract.js';
export {
  describeClaimsContract,
  type SubmissionLocksHarness,
} from './relay/submission-locks.contract.js';
export { describeDepositsContract, type DepositsHarness } from './deposits/deposits.contract.js';
export {
  describeContractClassesContract,
  type ContractClassesHarness,
} from './pools/contract-classes.contract.js';
export { describeGasBookContract, type GasBookHarness } from './fees/gas-book.contract.js';
export {
  describeGasReceiptsContract,
  type GasReceiptsHarness,
} from './fees/gas-receipts.contract.js';
export {
  REVERT_REASON,
  describeSettlementHistoryContract,
  type SettlementHistoryHarness,
  type StagedAttempt,
} from './circuit-breaker/settlement-history.contract.js';
export {
  describePoolControlsContract,
  type PoolControlsHarness,
} from './circuit-breaker/pool-controls.contract.js';
export {
  describePoolReaderContract,
  type PoolReaderHarness,
} from './pools/pool-reader.contract.js';
export {
  describePriceSourceContract,
  type PriceSourceContractOptions,
  type PriceSourceHarness,
} from './fees/price-source.contract.js';
export {
  describeProofVerifierContract,
  type ProofVerifierHarness,
} from './withdrawals/proof-verifier.contract.js';
export { describeQuoteStoreContract, type QuoteStoreHarness } from './fees/quote-store.contract.js';
export {
  QUOTES,
  STATUS_DIGESTS,
  describeTypedDataSignerContract,
  type SignedMessages,
  type TypedDataSignerHarness,
} from './relay/typed-data-signer.contract.js';
export {
  describeSpentNullifiersContract,
  type SpentNullifiersHarness,
} from './relay/spent-nullifiers.contract.js';
export {
  describeSwapAggregatorContract,
  type SwapAggregatorContractOptions,
  type SwapAggregatorHarness,
  type SwapAggregatorState,
} from './swaps/swap-aggregator.contract.js';
export { InMemorySwapLeaves } from './swaps/in-memory-swap-leaves.js';
export {
  describeSwapLeavesContract,
  type SwapLeavesHarness,
} from './swaps/swap-leaves.contract.js';
export {
  describeTrafficBookContract,
  type StagedCall,
  type TrafficBookHarness,
} from './deposits/traffic-book.contract.js';
export {
  describeSwapDepositsContract,
  type SwapDepositsHarness,
} from './swaps/swap-deposits.contract.js';
export { describeSwapPinsContract, type SwapPinsHarness } from './swaps/swap-pins.contract.js';
export {
  describeSwapRecordsContract,
  type SwapRecordsHarness,
} from './swaps/swap-records.contract.js';
export {
  describeSwapVerdictsContract,
  type SwapVerdictsHarness,
} from './swaps/swap-verdicts.contract.js';
export { FakeBalances } from './treasury/fake-balances.js';
export { InMemoryTopUpBook } from './treasury/in-memory-top-up-book.js';
export {
  describeTopUpBookContract,
  type StagedTopUp,
  type TopUpBookHarness,
} from './treasury/top-up-book.contract.js';
export { describeBalancesContract, type BalancesHarness } from './treasury/balances.contract.js';
export { guardedPool, operatedLane, operations } from './status/operator-status.js';
