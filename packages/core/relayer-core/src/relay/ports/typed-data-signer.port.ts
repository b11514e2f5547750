import type { Felt } from '@sotto/kernel';
import type { TypedData } from '../domain/typed-data.js';

export interface TypedDataSignature {
  /** Signature (r, s). */
  readonly signature: readonly [r: Felt, s: Felt];
  /** Account that signed with its key. */
  readonly signer: Felt;
}

/**
 * Signs SNIP-12 typed data with a relayer account's key, for the account's `is_valid_signature`.
 */
export abstract class TypedDataSigner {
  abstract sign(data: TypedData): Promise<TypedDataSignature>;
}
