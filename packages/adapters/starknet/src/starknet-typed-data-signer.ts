import { toFelt, type Felt } from '@sotto/kernel';
import type { TypedData, TypedDataSignature, TypedDataSigner } from '@sotto/relayer-core';
import { typedData } from 'starknet';
import { AccountKey, type SigningAccount } from './account-key.js';

/** Signs with an account's key. The same typed data always gets the same signature. */
export class StarknetTypedDataSigner implements TypedDataSigner {
  readonly #signer: Felt;
  readonly #key: AccountKey;

  /** @throws AccountKeyUnusable naming the account whose key is invalid */
  constructor(account: SigningAccount) {
    this.#signer = account.address;
    this.#key = new AccountKey(account);
  }

  async sign(data: TypedData): Promise<TypedDataSignature> {
    const hash = toFelt(typedData.getMessageHash(data, this.#signer));
    return { signature: this.#key.sign(hash), signer: this.#signer };
  }
}
