import { toFelt, type Felt } from '@sotto/kernel';
import type { TypedData } from '@sotto/relayer-core';
import { typedData } from 'starknet';
import {
  AccountKey,
  AccountKeyUnusable,
  type SigningAccount,
  type StarkSignature,
} from './account-key.js';
import { CHECKED_HASH, type AccountKeys, type UnsignedInvoke } from './account-keys.js';

const WARM_UP_SIGNATURES = 10;
/**
 * Account that is used only for the warm-up. The key is publicly known, so signatures of this
 * account are worthless.
 */
const WARM_UP_ACCOUNT: SigningAccount = { address: toFelt(1n), privateKey: '0x1' };

/** Keys in the memory of this process. Signatures are deterministic. */
export class HeldKeys implements AccountKeys {
  readonly #keys: ReadonlyMap<Felt, AccountKey>;

  /** @throws AccountKeyUnusable naming the account whose key is invalid */
  constructor(accounts: readonly SigningAccount[]) {
    this.#keys = new Map(accounts.map((account) => [account.address, new AccountKey(account)]));
  }

  async signInvoke({ account, hash }: UnsignedInvoke): Promise<StarkSignature> {
    return this.#keyOf(account).sign(hash);
  }

  async signMessage(account: Felt, data: TypedData): Promise<StarkSignature> {
    return this.#keyOf(account).sign(toFelt(typedData.getMessageHash(data, account)));
  }

  async signCheck(account: Felt): Promise<StarkSignature> {
    return this.#keyOf(account).sign(CHECKED_HASH);
  }

  rejections(): readonly [] {
    return [];
  }

  async isAnswering(): Promise<true> {
    return true;
  }

  async warmUp(): Promise<void> {
    const key = new AccountKey(WARM_UP_ACCOUNT);
    for (let signature = 0; signature < WARM_UP_SIGNATURES; signature += 1) key.sign(CHECKED_HASH);
  }

  close(): void {
    // Nothing to release.
  }

  #keyOf(account: Felt): AccountKey {
    const key = this.#keys.get(account);
    if (key === undefined)
      throw new AccountKeyUnusable({ message: 'no key is held for the account' });
    return key;
  }
}
