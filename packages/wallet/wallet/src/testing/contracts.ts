export { describeNodeReaderContract, type NodeReaderHarness } from './node-reader.contract.js';
export {
  describeWalletStorageContract,
  type WalletStorageHarness,
} from './wallet-storage.contract.js';
