export {
  describeBridgeProtocolContract,
  type BridgeProtocolContractOptions,
  type BridgeProtocolHarness,
  type BridgeProtocolState,
} from './bridge-protocol.contract.js';
export { FakeBridgeProtocol } from './fake-bridge-protocol.js';
export { InMemoryTransferStore } from './in-memory-transfer-store.js';
export {
  describeTransferStoreContract,
  type TransferStoreHarness,
} from './transfer-store.contract.js';
