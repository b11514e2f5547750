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

/**
 * Signs v3 invoke transactions of the lanes' accounts. Hashes long calldata in another thread, so
 * that the event loop is not blocked.
 */
export abstract class TransactionSigner {
  abstract hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall>;
  /**
   * Signs the call. Equal inputs give an equal hash. Rejects if this process does not have the
   * account's key.
   */
  abstract signCall(call: HashedCall, request: SigningRequest): Promise<SignedTransaction>;
  /**
   * Returns the encoding of a call's calldata, which may depend on the target. The bytes of every
   * transaction with this call contain this encoding.
   */
  abstract calldataText(target: CallTarget, calldata: Felts): Promise<Uint8Array>;
  /** Signs a transaction without calls, which only consumes the nonce. */
  abstract signNoop(request: SigningRequest): Promise<SignedTransaction>;
}
