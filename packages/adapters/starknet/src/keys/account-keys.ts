import type { Felt } from '@sotto/kernel';
import type { TypedData } from '@sotto/relayer-core';
import type { SigningRequest } from '@sotto/submission-core';
import type { ExecuteJson } from '../calldata-text.js';
import { selectorOf } from '../selectors.js';
import type { StarkSignature } from './account-key.js';

/**
 * Hash that is signed to check the key of an account. No transaction and no message has this hash,
 * so a node that stores the signature can do no harm.
 */
export const CHECKED_HASH = selectorOf('sotto checks whether it holds the key of this account');

/** A v3 invoke transaction that is complete except for its signature. */
export interface UnsignedInvoke extends SigningRequest {
  readonly chainId: Felt;
  /** Transaction hash, computed in this process. */
  readonly hash: Felt;
  /**
   * Calldata of `__execute__`: an array of canonical felts. For private actions, the fields
   * `proof_facts` and `proof` follow.
   */
  readonly execute: ExecuteJson;
}

/**
 * A rejection by the signer that applies to an account. Since this rejection, the signer has signed
 * no transaction of the account.
 */
export interface KeyRejection {
  readonly account: Felt;
  /** Error code of the signer, such as SIGNER_REFUSED_BUDGET. */
  readonly reason: string;
  readonly ageMs: number;
}

/**
 * Keys of the signing accounts, stored in this process or by a remote signer. Each returned
 * signature is over the hash that this process computed. Signing has no side effects in this
 * process: a rejected request may be repeated.
 */
export abstract class AccountKeys {
  /**
   * Signs a transaction. Rejects if the account has no key, if the signer refuses the transaction,
   * or if the signer does not respond.
   */
  abstract signInvoke(transaction: UnsignedInvoke): Promise<StarkSignature>;
  /** Signs SNIP-12 typed data. Rejects under the same conditions as {@link signInvoke}. */
  abstract signMessage(account: Felt, data: TypedData): Promise<StarkSignature>;
  /** Signs {@link CHECKED_HASH}. Rejects under the same conditions as {@link signInvoke}. */
  abstract signCheck(account: Felt): Promise<StarkSignature>;
  /**
   * Returns the last rejection of each account. When the signer signs a transaction of an account
   * again, the entry of the account is removed.
   */
  abstract rejections(): readonly KeyRejection[];
  /** Returns true if the signer responds and signs for this chain. Never rejects. */
  abstract isAnswering(): Promise<boolean>;
  /**
   * Compiles the signing code in advance. Without the warm-up, the first signature needs about 50
   * ms.
   */
  abstract warmUp(): Promise<void>;
  abstract close(): void;
}
