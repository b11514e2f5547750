export { FakeAccount, type FakeAccountFault } from './fake-account.js';
export { FakeAccountNode, type FakeAccountChain } from './fake-account-node.js';
export { FakeChain, FakePool, type FakePoolOptions, type FakeTransaction } from './fake-chain.js';
export {
  FakeProver,
  readFakeProof,
  type FakeProverFault,
  type FakeStatement,
} from './fake-prover.js';
export { FakeStorage, type FakeStorageFault } from './fake-storage.js';
export {
  FakeSwapChain,
  FakeSwapPoolView,
  FakeSwapRelayer,
  type FakeSwap,
} from './fake-swap-relayer.js';
export {
  FakeRelayer,
  type FakeCheckFailure,
  type FakeFault,
  type FakeRelayerOptions,
} from './fake-relayer.js';
export { FakeNode, type EmittedEvent, type FakeView } from './fake-node.js';
/** Fake contracts that can be deployed on a {@link FakeNode}. */
export { FakePoolContract, FakeSwapPoolContract } from './fake-pool-contract.js';
export type { TestRunner } from './test-runner.js';
