export { FakeChain, FakeNodeDown, type ScriptedSend } from './fake-chain.js';
export { type FakeChainOptions, type FakeExecution } from './fake-network.js';
export { FakeBlocks, type FakeBlocksOptions } from './fake-blocks.js';
export { FakeMempool, refused } from './fake-mempool.js';
export {
  decodeFakeTransaction,
  foreignTransaction,
  hashOf,
  type FakeTransaction,
} from './fake-transaction.js';
export { ChainView, rangeOf, secondsOf, type FakeBlock, type FakeInclusion } from './chain-view.js';
export { FakeChainEvents } from './fake-chain-events.js';
export { FakeSigner } from './fake-signer.js';
export { withChanged } from './changed-submissions.js';
export { InMemoryInstanceBus } from './in-memory-instance-bus.js';
export { InMemoryLedger, type InMemoryLedgerOptions } from './in-memory-ledger.js';
export {
  LedgerDriver,
  aBlock,
  aSignedCall,
  aSignedTransaction,
  aSubmission,
  confirming,
  contradicting,
  foreign,
  took,
  written,
  type Broadcast,
} from './ledger-driver.js';
export { envelopeOf, signedBytesOf } from '../domain/signed-envelope.js';
export { keptBytes } from './kept-bytes.js';
export { InMemoryAuditStore } from './in-memory-audit-store.js';
export { InMemorySubmissionRegister } from './in-memory-submission-register.js';
export { calm, clean, laneOf } from './engine-status.js';
export { FakeSnapshots } from './fake-snapshots.js';
export { InMemoryStoreHealth } from './in-memory-store-health.js';
export { FakeCallSimulator } from './fake-call-simulator.js';
export { FakeLatestBlock } from './fake-latest-block.js';
