export {
  describeBridgeProtocolContract,
  type BridgeProtocolContractOptions,
  type BridgeProtocolHarness,
  type BridgeProtocolState,
} from './bridge-protocol.contract.js';
export {
  describeTransferStoreContract,
  type TransferStoreHarness,
} from './transfer-store.contract.js';
