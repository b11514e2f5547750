export { FakeBridgeProtocol } from './fake-bridge-protocol.js';
export { InMemoryTransferStore } from './in-memory-transfer-store.js';
