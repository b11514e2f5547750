export { DevnetStack, type DevnetStackOptions } from './devnet-stack.js';
export { AccountSigner } from '../node/account-signer.js';
export { Strk20Devnet } from './strk20-devnet.js';
export { findStrk20Dump } from './strk20-dump.js';
export type { ProvenActions } from './strk20-user.js';
