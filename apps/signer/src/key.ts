import { toFelt, type Felt } from '@sotto/kernel';
import type { Secret } from '@sotto/settings';
import { ec, hash } from 'starknet';

export type Signature = readonly [r: Felt, s: Felt];

/**
 * Hash with which the service checks that a key belongs to an account: the account's
 * `is_valid_signature` must accept the key's signature of this hash. The hash is derived from a
 * sentence, so it can't be the hash of a transaction or a message.
 */
export const CHECKED_HASH = toFelt(
  hash.getSelectorFromName('sotto checks whether it holds the key of this account'),
);

/** A private key. The key never leaves this object, and only {@link Signer} requests signatures. */
export class Key {
  readonly #key: string;
  readonly publicKey: Felt;

  constructor(privateKey: Secret) {
    this.#key = BigInt(privateKey.reveal()).toString(16).padStart(64, '0');
    this.publicKey = toFelt(ec.starkCurve.getStarkKey(this.#key));
  }

  /** Signs a hash deterministically: equal hashes get equal signatures. */
  sign(message: Felt): Signature {
    const { r, s } = ec.starkCurve.sign(message.slice(2), this.#key);
    return [toFelt(r), toFelt(s)];
  }
}
