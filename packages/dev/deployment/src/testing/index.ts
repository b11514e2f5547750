export { DevnetStack, type DevnetStackOptions } from './devnet-stack.js';
export { AccountSigner } from '../node/account-signer.js';
