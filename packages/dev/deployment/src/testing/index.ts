export { DevnetStack, type DevnetStackOptions } from './devnet-stack.js';
export { AccountSigner } from '../node/account-signer.js';
export { Strk20Devnet, type Strk20PoolChanges } from './strk20-devnet.js';
export { findStrk20Dump, readStrk20Dump, type Strk20Dump } from './strk20-dump.js';
export {
  Strk20User,
  type ProofChanges,
  type ProvenActions,
  type Strk20Payment,
  type WithdrawalOptions,
} from './strk20-user.js';
