export { WalletError, type WalletErrorCode } from './errors.js';
export { SCALAR_FIELD, STARKNET_FIELD, type FeltInput } from './fields.js';
export {
  createNote,
  noteOf,
  parseNote,
  serialiseNote,
  type Note,
  type RandomBytes,
} from './notes/note.js';
export { jsonRpcNode, type JsonRpcNodeOptions } from './node/json-rpc-node.js';
export type { JsonRpcOptions } from './node/json-rpc.js';
export type {
  BlockHeader,
  ChainEvent,
  EventQuery,
  NodeReader,
  NonceQuery,
  ViewCall,
} from './node/node-reader.js';
export { nextNote, type IndexedNote, type PoolName } from './notes/next-note.js';
export {
  deriveNoteKeys,
  MAX_NOTE_INDEX,
  type NoteKeys,
  type NoteLocation,
} from './notes/note-keys.js';
export { recoverNotes, type FoundNote, type RecoverNotesOptions } from './notes/recover-notes.js';
export {
  foldPath,
  MerkleTree,
  TREE_CAPACITY,
  TREE_DEPTH,
  type MerklePath,
} from './pools/merkle-tree.js';
export type { LeafValue } from './pools/pool-state.js';
export type { Batch, Place, PoolView } from './pools/pool-view.js';
export { ShieldedPool, type ShieldedPoolOptions } from './pools/shielded-pool.js';
export type { WalletStorage } from './storage.js';
export { browserStorage } from './storage/browser-storage.js';
export { memoryStorage } from './storage/memory-storage.js';
export type { ProveOptions, Prover, ProvingProgress, WithdrawalRequest } from './prover.js';
export { verifyFeeQuote, type FeeQuoteCheck, type SignedFeeQuote } from './signed/fee-quote.js';
export {
  verifyServiceStatus,
  type ServiceStatusCheck,
  type SignedServiceStatus,
} from './signed/service-status.js';
export {
  Journal,
  JournalRun,
  LEASE_MS,
  type JournalOptions,
  type TakeOptions,
} from './journeys/journal.js';
export { Journey, type EventsOptions, type JourneyWork } from './journeys/journey.js';
export { reported, type JourneyError } from './journeys/journey-error.js';
export {
  askRelayers,
  clientOf,
  MOST_RELAYERS,
  type Relayer,
  type RelayersAsked,
  type RelayerWanted,
  type UnusableRelayer,
  type UsableRelayer,
} from './relayers/relayers.js';
export {
  acceptQuote,
  QuoteNotTrusted,
  type AcceptedQuote,
  type QuoteRefusal,
  type QuoteTerms,
} from './signed/accepted-quote.js';
export {
  Withdrawal,
  type ResumeWithdrawalOptions,
  type WithdrawalOptions,
  type WithdrawalSummary,
} from './withdrawals/withdrawal.js';
export {
  ownWithdrawal,
  type OwnWithdrawal,
  type OwnWithdrawalOptions,
} from './withdrawals/own-withdrawal.js';
export {
  crowdStrength,
  LEAST_AGE_MS,
  LEAST_CROWD,
  type AddressUse,
  type CrowdStrength,
  type GuardBounds,
  type GuardCode,
  type GuardRefusal,
} from './guard/crowd-guard.js';
export type { GuardOptions } from './guard/admission.js';
export { SWAP_DELAY_MS } from './guard/swap-delay.js';
export type { WithdrawalState } from './withdrawals/withdrawal-entry.js';
export type { RequestEvent } from './relayers/request-events.js';
export type { WithdrawalEvent } from './withdrawals/withdrawal-events.js';
export type { WithdrawalMeans } from './withdrawals/withdrawal-run.js';
export { MEMPOOL_LIFETIME_MS, RELAYER_PATIENCE_MS } from './relayers/relayed-request.js';
export {
  Deposit,
  type DepositOptions,
  type DepositSummary,
  type ResumeDepositOptions,
} from './deposits/deposit.js';
export {
  depositConsentTypedData,
  type DepositConsent,
  type DepositTypedData,
} from './deposits/deposit-consent.js';
export {
  revocation,
  type AccountSignature,
  type DepositAccount,
  type AccountCall,
} from './deposits/deposit-account.js';
export type { DepositState, ShownApproval } from './deposits/deposit-entry.js';
export type { DepositEvent } from './deposits/deposit-events.js';
export type { DepositMeans } from './deposits/deposit-run.js';
export {
  PrivateSwap,
  type PrivateSwapOptions,
  type PrivateSwapSummary,
} from './swaps/private-swap.js';
export type { PrivateSwapState } from './swaps/swap-entry.js';
export type { PrivateSwapEvent } from './swaps/swap-events.js';
export type { PrivateSwapMeans } from './swaps/swap-run.js';
