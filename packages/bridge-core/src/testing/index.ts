export {
  describeBridgeProtocolContract,
  type BridgeProtocolContractOptions,
  type BridgeProtocolHarness,
  type BridgeProtocolState,
} from './bridge-protocol.contract.js';
export { FakeBridgeProtocol } from './fake-bridge-protocol.js';
export { InMemoryTransferMemory } from './in-memory-transfer-memory.js';
export { describeTransferMemoryContract, type TransferMemoryHarness } from './transfer-memory.contract.js';
