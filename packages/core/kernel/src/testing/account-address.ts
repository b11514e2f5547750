/**
 * An address as large as those of Starknet accounts are: small numbers are no recipients.
 * @param index distinguishes addresses
 */
export function accountAddress(index: bigint): bigint {
  return 2n ** 250n + index;
}
