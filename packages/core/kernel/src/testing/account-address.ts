/**
 * Returns an address as large as those of Starknet accounts: small numbers are no valid recipients.
 * @param index distinguishes addresses
 */
export function accountAddress(index: bigint): bigint {
  return 2n ** 250n + index;
}
