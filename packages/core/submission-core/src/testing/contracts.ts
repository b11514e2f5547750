export {
  describeBroadcasterContract,
  type BroadcasterHarness,
  type StagedSend,
} from './broadcaster.contract.js';
export { describeChainReaderContract, type ChainReaderHarness } from './chain-reader.contract.js';
export {
  describeAccountCheckContract,
  type AccountCheckHarness,
} from './account-check.contract.js';
export {
  describeAccountHistoryContract,
  type AccountHistoryHarness,
  type SentCall,
} from './account-history.contract.js';
export {
  describeNonceHistoryContract,
  type NonceHistoryHarness,
} from './nonce-history.contract.js';
export {
  describeTransactionSignerContract,
  type TransactionSignerHarness,
} from './transaction-signer.contract.js';
export { describeChainEventsContract, type ChainEventsHarness } from './chain-events.contract.js';
export { describeInstanceBusContract, type InstanceBusHarness } from './instance-bus.contract.js';
export {
  type LedgerContractOptions,
  type LedgerHarness,
  type StartLedger,
} from './ledger-harness.js';
export { describeLedgerContract } from './ledger.contract.js';
export { describeAuditStoreContract, type AuditStoreHarness } from './audit-store.contract.js';
export {
  describeSubmissionRegisterContract,
  type SubmissionRegisterHarness,
} from './submission-register.contract.js';
export { describeSnapshotsContract, type SnapshotsHarness } from './snapshots.contract.js';
export { describeStoreHealthContract, type StoreHealthHarness } from './store-health.contract.js';
export { describeCallSimulatorContract } from './call-simulator.contract.js';
export { describeLatestBlockContract } from './latest-block.contract.js';
