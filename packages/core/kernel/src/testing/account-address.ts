/**
 * Returns an address as large as the addresses of Starknet accounts. Small numbers are not valid
 * recipients.
 * @param index distinguishes addresses
 */
export function accountAddress(index: bigint): bigint {
  return 2n ** 250n + index;
}
