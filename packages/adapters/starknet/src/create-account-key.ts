import { randomBytes } from 'node:crypto';
import { toFelt, type Felt } from '@sotto/kernel';
import { ec, hash } from 'starknet';

/** New private key, and the address of the account that it controls after deployment. */
export interface NewAccountKey {
  readonly privateKey: string;
  readonly publicKey: Felt;
  /**
   * Address of the account if it is deployed with the public key as salt and as the only
   * constructor argument.
   */
  readonly address: Felt;
}

const ORDER = ec.starkCurve.CURVE.n;
/**
 * Number of random bytes. The random number has 64 bits more than the curve's order, so its
 * reduction modulo the order has a negligible bias.
 */
const RANDOM_BYTES = 40;

/**
 * Generates a key for an account class whose only constructor argument is the public key, such as
 * OpenZeppelin's.
 * @param random source of randomness; replaced in tests
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
