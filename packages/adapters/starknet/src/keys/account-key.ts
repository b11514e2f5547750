import { domainError, type Felt, toFelt } from '@sotto/kernel';
import { ec } from 'starknet';

/** The signer holds no key for an account, or an invalid one. */
export class AccountKeyUnusable extends domainError('ACCOUNT_KEY_UNUSABLE') {}

/** What a Stark key makes of a hash. */
export type StarkSignature = readonly [r: Felt, s: Felt];

/** An account with one Stark key. */
export interface SigningAccount {
  readonly address: Felt;
  /** Hex, from 1 to below the curve's order. */
  readonly privateKey: string;
}

/** Order of the Stark curve. */
const CURVE_ORDER = ec.starkCurve.CURVE.n;

/** The private key of an account; it never leaves this object. */
export class AccountKey {
  readonly #key: string;

  /** @throws AccountKeyUnusable naming the account whose key is invalid */
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

  /** The signature over a hash; the same hash always gives the same one. */
  sign(hash: Felt): StarkSignature {
    const { r, s } = ec.starkCurve.sign(hash.slice(2), this.#key);
    return [toFelt(r), toFelt(s)];
  }
}
