export { WalletError, type WalletErrorCode } from './errors.js';
export { ActionFailed, type Action } from './kit/action.js';
export { createWallet, type CreateWalletOptions, type PoolOptions } from './kit/create-wallet.js';
export type { DepositResult, SwapResult, WithdrawalResult } from './kit/results.js';
export type { Wallet } from './kit/wallet.js';
export type {
  ResumedWork,
  SwapOptions,
  WalletEvent,
  WalletNote,
  WithdrawOptions,
} from './kit/wallet-types.js';
export type { DepositAccount } from './deposits/deposit-account.js';
export type { GuardCode } from './guard/crowd-guard.js';
export type { JourneyError } from './journeys/journey-error.js';
export type { NodeReader } from './node/node-reader.js';
export { createPasskey, passkeySeed, type Passkey } from './notes/passkey-seed.js';
export type { Batch } from './pools/pool-view.js';
export type { Prover } from './prover.js';
export type { Relayer } from './relayers/relayers.js';
export type { WalletStorage } from './storage.js';
export { browserStorage } from './storage/browser-storage.js';
export { memoryStorage } from './storage/memory-storage.js';
