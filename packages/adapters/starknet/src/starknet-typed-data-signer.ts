import type { Felt } from '@sotto/kernel';
import type { TypedData, TypedDataSignature, TypedDataSigner } from '@sotto/relayer-core';
import type { AccountKeys } from './keys/account-keys.js';

/**
 * Signs typed data with an account's key. Deterministic: the same typed data always yields the same
 * signature.
 */
export class StarknetTypedDataSigner implements TypedDataSigner {
  constructor(
    private readonly keys: AccountKeys,
    private readonly signer: Felt,
  ) {}

  async sign(data: TypedData): Promise<TypedDataSignature> {
    return { signature: await this.keys.signMessage(this.signer, data), signer: this.signer };
  }
}
