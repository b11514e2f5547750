import type { Felt } from '@sotto/kernel';
import type { RefusalCause } from '../domain/events.js';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { TransactionSighting } from '../domain/sighting.js';

/** How a node answered one send. Only `refused` says that nothing can land, and only for the first and only claimed send. */
export type SendAnswer =
  /** Taken, or there already (59). */
  | { readonly kind: 'taken' }
  /** A code of the closed list of conclusive refusals. */
  | { readonly kind: 'refused'; readonly code: string; readonly cause: RefusalCause }
  /** Anything else: time-out, reset, HTML, 52, 64, unknown codes. `code` is for the log. */
  | { readonly kind: 'unclear'; readonly code: string };

/**
 * Puts signed bytes on the wire. One call is at most one request: nothing below may retry, follow redirects or fan out.
 * Never rejects: whatever happens is a {@link SendAnswer}.
 */
export interface Broadcaster {
  send(bytes: Uint8Array): Promise<SendAnswer>;
}

export const Broadcaster: unique symbol = Symbol.for('@sotto/submission-core/Broadcaster');

/** One account at ACCEPTED_ON_L2. */
export interface AccountState {
  /** Nonce that its next transaction must have. */
  readonly nonce: bigint;
  readonly balanceFri: bigint;
}

/** The head of the chain with what lanes need of it. */
export interface ChainHead {
  readonly blockNumber: number;
  readonly gasPrices: GasPrices;
  readonly accounts: ReadonlyMap<Felt, AccountState>;
}

/** Reads that submissions are followed by. Each method is one batched round trip. Rejects with a `Fault` when the node can't answer. */
export interface ChainReader {
  head(accounts: readonly Felt[]): Promise<ChainHead>;
  /** Same order as `hashes`. */
  sightings(hashes: readonly Felt[]): Promise<readonly TransactionSighting[]>;
}

export const ChainReader: unique symbol = Symbol.for('@sotto/submission-core/ChainReader');

/** Finds, by block, the transaction that took a nonce. */
export interface NonceHistory {
  /**
   * The hash of the transaction with this sender and nonce in a block at ACCEPTED_ON_L2, found in the block in which the nonce passed;
   * null when no such block is found yet. Rejects with a `Fault` when the node can't answer.
   */
  takerOf(account: Felt, nonce: bigint): Promise<Felt | null>;
}

export const NonceHistory: unique symbol = Symbol.for('@sotto/submission-core/NonceHistory');
