export {
  describeOperatorLogContract,
  type OperatorLogHarness,
} from './operators/operator-log.contract.js';
export { describePoolEventsContract, type PoolEventsStarts } from './pools/pool-events.contract.js';
export {
  describeClaimsContract,
  type SubmissionLocksHarness,
} from './relay/submission-locks.contract.js';
export {
  describeSponsorBudgetsContract,
  type SponsorBudgetsHarness,
} from './private-actions/sponsor-budgets.contract.js';
export {
  describePrivacyPoolReaderContract,
  type OwnedPoolState,
  type PrivacyPoolReaderHarness,
} from './private-actions/privacy-pool-reader.contract.js';
export {
  describeConsentCheckContract,
  type ConsentCheckHarness,
} from './deposits/consent-check.contract.js';
export {
  describeContractClassesContract,
  type ContractClassesHarness,
} from './pools/contract-classes.contract.js';
export { describeGasStoreContract, type GasStoreHarness } from './fees/gas-store.contract.js';
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
export { describePoolReaderContract, type PoolReaderStarts } from './pools/pool-reader.contract.js';
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
  describeTrafficStoreContract,
  type StagedCall,
  type TrafficStoreHarness,
} from './pools/traffic-store.contract.js';
export { describeSwapPinsContract, type SwapPinsHarness } from './swaps/swap-pins.contract.js';
export {
  describeSwapRecordsContract,
  type SwapRecordsHarness,
} from './swaps/swap-records.contract.js';
export {
  describeTopUpStoreContract,
  type StagedTopUp,
  type TopUpStoreHarness,
} from './treasury/top-up-store.contract.js';
