import { toFelt, type Felt } from '@sotto/kernel';
import {
  statusTypedData,
  type StatusDigest,
  type StatusSignature,
  type StatusSigner,
} from '@sotto/relayer-core';
import { typedData } from 'starknet';
import { AccountKey, type SigningAccount } from './account-key.js';

/**
 * Signs digests of public statuses as SNIP-12 typed data, revision 1, with an account's key. The
 * same digest always gets the same signature.
 */
export class StarknetStatusSigner implements StatusSigner {
  readonly #signer: Felt;
  readonly #key: AccountKey;

  /** @throws AccountKeyUnusable naming the account whose key is invalid */
  constructor(account: SigningAccount) {
    this.#signer = account.address;
    this.#key = new AccountKey(account);
  }

  async signStatus(digest: StatusDigest): Promise<StatusSignature> {
    const hash = toFelt(typedData.getMessageHash(statusTypedData(digest), this.#signer));
    return { signature: this.#key.sign(hash), signer: this.#signer };
  }
}
