import type { Felt } from './felt.js';

/**
 * Minimum of plausible Starknet addresses. Addresses are hashes of 251 bits, so an address below
 * this value has a probability of 2^-91. Such a value is the address of another chain, or a typing
 * error.
 */
const SMALLEST_ADDRESS = 2n ** 160n;

/** Reason why funds that are paid to a value on Starknet can't be spent. */
export type UnspendableReason = 'zero' | 'too_small' | 'contract';

/**
 * Returns the reason why funds sent to the recipient could not be spent; null if no reason is
 * known.
 * @param contracts canonical addresses of contracts that can't return a payment
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
