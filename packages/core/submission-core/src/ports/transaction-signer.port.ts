import type { Felt, Felts } from '@sotto/kernel';
import type { SignedTransaction } from '../domain/events.js';
import type { ResourceBounds } from '../domain/resource-bounds.js';
import type { CallTarget } from '../domain/rows.js';

/** Call with hashed calldata, so that signing it again with another nonce or price is cheap. */
export interface HashedCall {
  readonly target: CallTarget;
  readonly calldata: Felts;
  /** Poseidon hash of the account's `__execute__` calldata. */
  readonly calldataHash: bigint;
}

export interface SigningRequest {
  readonly account: Felt;
  readonly nonce: bigint;
  readonly bounds: ResourceBounds;
}

/** Signs v3 invoke transactions of the lanes' accounts. Hashes long calldata off the event loop. */
export abstract class TransactionSigner {
  abstract hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall>;
  /**
   * Signs the call. Same inputs give the same hash. Rejects if the account's key is not held here.
   */
  abstract signCall(call: HashedCall, request: SigningRequest): Promise<SignedTransaction>;
  /** Returns the encoding of the calldata in the bytes of every transaction that carries it. */
  abstract calldataText(calldata: Felts): Promise<Uint8Array>;
  /** Signs a transaction without calls, which only consumes the nonce. */
  abstract signNoop(request: SigningRequest): Promise<SignedTransaction>;
}
