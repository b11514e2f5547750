export {
  CYCLE_GAS,
  FEE_MARGIN_PERCENT,
  MIN_SLIPPAGE_PPM,
  PRIVATE_SWAP_CYCLE_GAS,
  SMALL_BATCH_BELOW,
  WITHDRAWAL_LIMITS,
} from './figures.js';
export { FakePoolEvents } from './pools/fake-pool-events.js';
export { FakeConsentCheck } from './deposits/fake-consent-check.js';
export { FakeContractClasses } from './pools/fake-contract-classes.js';
export { FakeGasReceipts } from './fees/fake-gas-receipts.js';
export { FakeProofVerifier } from './withdrawals/fake-proof-verifier.js';
export { FakeTypedDataSigner } from './relay/fake-typed-data-signer.js';
export { FakeSubmissions } from './relay/fake-submissions.js';
export { InMemorySubmissionLocks } from './relay/in-memory-submission-locks.js';
export {
  InMemoryPrivacyPools,
  type PrivacyPoolState,
} from './private-actions/in-memory-privacy-pools.js';
export { InMemorySponsorBudgets } from './private-actions/in-memory-sponsor-budgets.js';
export { InMemoryGasStore } from './fees/in-memory-gas-store.js';
export { InMemorySettlementHistory } from './circuit-breaker/in-memory-settlement-history.js';
export { InMemoryPoolControls } from './circuit-breaker/in-memory-pool-controls.js';
export { InMemoryOperatorLog } from './operators/in-memory-operator-log.js';
export {
  InMemoryPools,
  type InMemoryDepositPool,
  type InMemoryDepositor,
  type InMemoryPool,
} from './pools/in-memory-pools.js';
export { InMemoryQuoteStore } from './fees/in-memory-quote-store.js';
export { InMemoryTrafficStore } from './pools/in-memory-traffic-store.js';
export { InMemorySwapPins } from './swaps/in-memory-swap-pins.js';
export { InMemorySwapRecords } from './swaps/in-memory-swap-records.js';
export { InMemoryTopUpStore } from './treasury/in-memory-top-up-store.js';
export { guardedPool, operatedLane, operations } from './status/operator-status.js';
