import type { Felt } from '@sotto/kernel';
import type { TypedData } from '@sotto/relayer-core';
import type { SigningRequest } from '@sotto/submission-core';
import type { CallJson } from '../calldata-text.js';
import { selectorOf } from '../selectors.js';
import type { StarkSignature } from './account-key.js';

/**
 * Hash that is signed to check an account. No transaction and no message has this hash, so a node
 * may keep the signature.
 */
export const CHECKED_HASH = selectorOf('sotto checks whether it holds the key of this account');

/** A v3 invoke transaction that is complete except for its signature. */
export interface UnsignedInvoke extends SigningRequest {
  readonly chainId: Felt;
  /** Transaction hash, computed in this process. */
  readonly hash: Felt;
  /** Calldata of `__execute__`: an array of canonical felts. */
  readonly execute: CallJson;
}

/**
 * Rejection of a transaction by the signer, after which it has not signed a transaction of the
 * account.
 */
export interface KeyRefusal {
  readonly account: Felt;
  /** Error code of the signer, such as SIGNER_REFUSED_BUDGET. */
  readonly reason: string;
  readonly ageMs: number;
}

/**
 * Keys of the signing accounts, held in this process or by a remote signer. Every returned
 * signature is over the hash that was computed in this process. Signing has no side effects here:
 * after a rejection the same request may be repeated.
 */
export abstract class AccountKeys {
  /**
   * Signs a transaction. Rejects if no key is held for the account, or if the signer refuses or
   * does not answer.
   */
  abstract signInvoke(transaction: UnsignedInvoke): Promise<StarkSignature>;
  /** Signs SNIP-12 typed data; rejects as {@link signInvoke} does. */
  abstract signMessage(account: Felt, data: TypedData): Promise<StarkSignature>;
  /** Signs {@link CHECKED_HASH}; rejects as {@link signInvoke} does. */
  abstract signCheck(account: Felt): Promise<StarkSignature>;
  /**
   * Last refusal of each account. An entry is removed once a transaction of the account is signed.
   */
  abstract refusals(): readonly KeyRefusal[];
  /** Returns true if the signer answers and signs for this chain. Never rejects. */
  abstract isAnswering(): Promise<boolean>;
  /** Compiles the signing code in advance: the first signature otherwise needs about 50 ms. */
  abstract warmUp(): Promise<void>;
  abstract close(): void;
}
