export { FakePoolHistory } from './fake-pool-history.js';
export { describePoolHistoryContract } from './pool-history.contract.js';
export { FakeCallSimulator } from './fake-call-simulator.js';
export { FakeConsentCheck } from './fake-consent-check.js';
export { FakePoolDeposits } from './fake-pool-deposits.js';
export { FakeContractClasses } from './fake-contract-classes.js';
export { FakeGasReceipts } from './fake-gas-receipts.js';
export { FakeProofVerifier } from './fake-proof-verifier.js';
export { FakeQuoteSigner } from './fake-quote-signer.js';
export { FakeSpentNullifiers } from './fake-spent-nullifiers.js';
export { FakeStatusSigner } from './fake-status-signer.js';
export { FakeSubmissions } from './fake-submissions.js';
export { FakeSwapAggregator, type FakeRate } from './fake-swap-aggregator.js';
export { FakeSwapDeposits } from './fake-swap-deposits.js';
export { FakeUpstreamDown } from './fake-upstream-down.js';
export { FixedGasPrices } from './fixed-gas-prices.js';
export { FixedPrices } from './fixed-prices.js';
export { InMemorySubmissionLocks } from './in-memory-submission-locks.js';
export {
  InMemoryDeposits,
  type InMemoryDepositor,
  type InMemoryDepositPool,
} from './in-memory-deposits.js';
export { InMemoryGasBook } from './in-memory-gas-book.js';
export { InMemorySettlementHistory } from './in-memory-settlement-history.js';
export { InMemoryPoolControls } from './in-memory-pool-controls.js';
export { InMemoryPoolStatuses } from './in-memory-pool-statuses.js';
export { InMemoryPools, type InMemoryPool } from './in-memory-pools.js';
export { InMemoryQuoteStore } from './in-memory-quote-store.js';
export { InMemoryTrafficBook } from './in-memory-traffic-book.js';
export { InMemorySwapPins } from './in-memory-swap-pins.js';
export { InMemorySwapRecords } from './in-memory-swap-records.js';
export { InMemorySwapVerdicts } from './in-memory-swap-verdicts.js';
export { describeBlockClockContract, type BlockClockHarness } from './block-clock.contract.js';
export {
  describeCallSimulatorContract,
  type CallSimulatorHarness,
} from './call-simulator.contract.js';
export {
  describeClaimsContract,
  type SubmissionLocksHarness,
} from './submission-locks.contract.js';
export { describeDepositsContract, type DepositsHarness } from './deposits.contract.js';
export {
  describeContractClassesContract,
  type ContractClassesHarness,
} from './contract-classes.contract.js';
export { describeGasBookContract, type GasBookHarness } from './gas-book.contract.js';
export {
  describeGasPriceSourceContract,
  type GasPriceSourceHarness,
} from './gas-price-source.contract.js';
export { describeGasReceiptsContract, type GasReceiptsHarness } from './gas-receipts.contract.js';
export {
  REVERT_REASON,
  describeSettlementHistoryContract,
  type SettlementHistoryHarness,
  type StagedAttempt,
} from './settlement-history.contract.js';
export {
  describePoolControlsContract,
  type PoolControlsHarness,
} from './pool-controls.contract.js';
export { describePoolReaderContract, type PoolReaderHarness } from './pool-reader.contract.js';
export {
  describePoolStatusReaderContract,
  type PoolStatusReaderHarness,
} from './pool-status-reader.contract.js';
export {
  describePriceSourceContract,
  type PriceSourceContractOptions,
  type PriceSourceHarness,
} from './price-source.contract.js';
export {
  describeProofVerifierContract,
  type ProofVerifierHarness,
} from './proof-verifier.contract.js';
export { describeQuoteStoreContract, type QuoteStoreHarness } from './quote-store.contract.js';
export { describeQuoteSignerContract, type QuoteSignerHarness } from './quote-signer.contract.js';
export {
  describeSpentNullifiersContract,
  type SpentNullifiersHarness,
} from './spent-nullifiers.contract.js';
export {
  describeStatusSignerContract,
  type StatusSignerHarness,
} from './status-signer.contract.js';
export {
  describeSwapAggregatorContract,
  type SwapAggregatorContractOptions,
  type SwapAggregatorHarness,
  type SwapAggregatorState,
} from './swap-aggregator.contract.js';
export { InMemorySwapLeaves } from './in-memory-swap-leaves.js';
export { describeSwapLeavesContract, type SwapLeavesHarness } from './swap-leaves.contract.js';
export {
  describeTrafficBookContract,
  type StagedCall,
  type TrafficBookHarness,
} from './traffic-book.contract.js';
export {
  describeSwapDepositsContract,
  type SwapDepositsHarness,
} from './swap-deposits.contract.js';
export { describeSwapPinsContract, type SwapPinsHarness } from './swap-pins.contract.js';
export { describeSwapRecordsContract, type SwapRecordsHarness } from './swap-records.contract.js';
export {
  describeSwapVerdictsContract,
  type SwapVerdictsHarness,
} from './swap-verdicts.contract.js';
