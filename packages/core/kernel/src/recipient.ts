import type { Felt } from './felt.js';

/**
 * Starknet addresses are hashes of 251 bits: one below this value has a probability of 2^-91. Such
 * a value is the address of another chain, or a typing error.
 */
const SMALLEST_ADDRESS = 2n ** 160n;

/** Reason why a payment to a value on Starknet cannot be spent. */
export type UnspendableReason = 'zero' | 'too_small' | 'contract';

/**
 * Returns the reason why funds sent to the value could not be spent; null if none is known.
 * @param contracts canonical addresses of contracts that cannot return a payment
 */
export function unspendableReason(
  recipient: Felt,
  contracts: ReadonlySet<Felt>,
): UnspendableReason | null {
  const value = BigInt(recipient);
  if (value === 0n) return 'zero';
  if (contracts.has(recipient)) return 'contract';
  return value < SMALLEST_ADDRESS ? 'too_small' : null;
}
