import { randomBytes } from 'node:crypto';
import { toFelt, type Felt } from '@sotto/kernel';
import { ec, hash } from 'starknet';

/** A new key, and the account that it will be the key of once that is deployed. */
export interface NewAccountKey {
  readonly privateKey: string;
  readonly publicKey: Felt;
  /** Where a deployment with the public key as salt and only argument puts the account. */
  readonly address: Felt;
}

const ORDER = ec.starkCurve.CURVE.n;
/** 64 bits more than the order has: no part of the range is likelier than another to see. */
const RANDOM_BYTES = 40;

/**
 * Draws a key for an account class whose constructor takes the public key alone, such as
 * OpenZeppelin's.
 * @param random of tests
 */
export function createAccountKey(
  classHash: Felt,
  random: (bytes: number) => Uint8Array = randomBytes,
): NewAccountKey {
  const drawn = BigInt(`0x${Buffer.from(random(RANDOM_BYTES)).toString('hex')}`);
  const privateKey = `0x${((drawn % (ORDER - 1n)) + 1n).toString(16)}`;
  const publicKey = toFelt(ec.starkCurve.getStarkKey(privateKey));
  const address = toFelt(
    hash.calculateContractAddressFromHash(publicKey, classHash, [publicKey], 0),
  );
  return { privateKey, publicKey, address };
}
