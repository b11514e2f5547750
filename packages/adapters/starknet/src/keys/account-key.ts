import { domainError, type Felt, toFelt } from '@sotto/kernel';
import { ec } from 'starknet';

/** No key is configured for the account, or the key is invalid. */
export class AccountKeyUnusable extends domainError('ACCOUNT_KEY_UNUSABLE') {}

/** Signature with a Stark key. */
export type StarkSignature = readonly [r: Felt, s: Felt];

/** An account with one Stark key. */
export interface SigningAccount {
  readonly address: Felt;
  /** Private key in hex, at least 1 and below {@link CURVE_ORDER}. */
  readonly privateKey: string;
}

/** Order of the Stark curve. */
const CURVE_ORDER = ec.starkCurve.CURVE.n;

/** Private key of an account. No method returns the key. */
export class AccountKey {
  readonly #key: string;

  /** @throws AccountKeyUnusable with the address of the account whose key is invalid */
  constructor({ address, privateKey }: SigningAccount) {
    const value = /^0x[0-9a-fA-F]{1,64}$/.test(privateKey) ? BigInt(privateKey) : 0n;
    if (value === 0n || value >= CURVE_ORDER) {
      throw new AccountKeyUnusable({
        message: 'the private key is not 0x hex below the order of the curve',
        details: { account: address },
      });
    }
    this.#key = value.toString(16).padStart(64, '0');
  }

  /** Signs a hash. Deterministic: the same hash always yields the same signature. */
  sign(hash: Felt): StarkSignature {
    const { r, s } = ec.starkCurve.sign(hash.slice(2), this.#key);
    return [toFelt(r), toFelt(s)];
  }
}
