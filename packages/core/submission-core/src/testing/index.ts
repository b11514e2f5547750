export { FakeChain, FakeNodeDown, type ScriptedSend } from './fake-chain.js';
export { type FakeChainOptions, type FakeExecution } from './fake-network.js';
export { FakeSigner } from './fake-signer.js';
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
export { InMemoryInstanceBus } from './in-memory-instance-bus.js';
export { describeInstanceBusContract, type InstanceBusHarness } from './instance-bus.contract.js';
export { InMemoryLedger, type InMemoryLedgerOptions } from './in-memory-ledger.js';
export {
  LedgerDriver,
  aBlock,
  aSignedTransaction,
  aSubmission,
  foreign,
  took,
  written,
  type Broadcast,
} from './ledger-driver.js';
export {
  type LedgerContractOptions,
  type LedgerHarness,
  type StartLedger,
} from './ledger-harness.js';
export { describeLedgerContract } from './ledger.contract.js';
export { InMemoryAuditBook } from './in-memory-audit-book.js';
export { describeAuditBookContract, type AuditBookHarness } from './audit-book.contract.js';
export { calm, clean, laneOf } from './engine-status.js';
export { FakeSnapshots } from './fake-snapshots.js';
export { describeSnapshotsContract, type SnapshotsHarness } from './snapshots.contract.js';
