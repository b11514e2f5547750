import { toFelt, type Felt } from '@sotto/kernel';
import type { Secret } from '@sotto/settings';
import { ec, hash } from 'starknet';

export type Signature = readonly [r: Felt, s: Felt];

/**
 * What an account's `is_valid_signature` is asked about, to see whether this is its key: the hash
 * of a sentence, and so of no transaction and no message.
 */
export const CHECKED_HASH = toFelt(
  hash.getSelectorFromName('sotto checks whether it holds the key of this account'),
);

/** A private key; it never leaves this object, and only {@link Signer} asks it for signatures. */
export class Key {
  readonly #key: string;
  readonly publicKey: Felt;

  constructor(privateKey: Secret) {
    this.#key = BigInt(privateKey.reveal()).toString(16).padStart(64, '0');
    this.publicKey = toFelt(ec.starkCurve.getStarkKey(this.#key));
  }

  /** The same hash always gets the same signature. */
  sign(message: Felt): Signature {
    const { r, s } = ec.starkCurve.sign(message.slice(2), this.#key);
    return [toFelt(r), toFelt(s)];
  }
}
