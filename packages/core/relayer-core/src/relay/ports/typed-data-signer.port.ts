import type { Felt } from '@sotto/kernel';
import type { TypedData } from '../domain/typed-data.js';

export interface TypedDataSignature {
  /** r and s. */
  readonly signature: readonly [r: Felt, s: Felt];
  /** The account whose key signed. */
  readonly signer: Felt;
}

/** Signs SNIP-12 typed data with a relayer account's key: what its `is_valid_signature` accepts. */
export abstract class TypedDataSigner {
  abstract sign(data: TypedData): Promise<TypedDataSignature>;
}
