import { toFelt, type Felt } from '@sotto/kernel';
import {
  feeQuoteTypedData,
  type FeeQuote,
  type QuoteSigner,
  type SignedFeeQuote,
} from '@sotto/relayer-core';
import { typedData } from 'starknet';
import { AccountKey, type SigningAccount } from './account-key.js';

/**
 * Signs quotes as SNIP-12 typed data, revision 1, with an account's key: what the account's
 * `is_valid_signature` accepts. The same quote always gets the same signature.
 */
export class StarknetQuoteSigner implements QuoteSigner {
  readonly #signer: Felt;
  readonly #key: AccountKey;

  /** @throws AccountKeyUnusable naming the account whose key is invalid */
  constructor(account: SigningAccount) {
    this.#signer = account.address;
    this.#key = new AccountKey(account);
  }

  async sign(quote: FeeQuote): Promise<SignedFeeQuote> {
    const hash = toFelt(typedData.getMessageHash(feeQuoteTypedData(quote), this.#signer));
    return { ...quote, signature: this.#key.sign(hash), signer: this.#signer };
  }
}
