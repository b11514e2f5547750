const LOW_BITS = 128n;
const LOW_MASK = (1n << LOW_BITS) - 1n;

/**
 * Returns Cairo's u256 from its two felts. @throws RangeError if the low or high half is not below
 * 2^128.
 */
export function u256FromHalves(low: bigint, high: bigint): bigint {
  if (low < 0n || low > LOW_MASK || high < 0n || high > LOW_MASK)
    throw new RangeError('a half of a u256 must be below 2^128');
  return (high << LOW_BITS) + low;
}

/**
 * Returns the two felts (low, high) of a u256. @throws RangeError if the value is not below 2^256.
 */
export function u256ToHalves(value: bigint): readonly [low: bigint, high: bigint] {
  if (value < 0n || value >> 256n !== 0n) throw new RangeError('a u256 must be below 2^256');
  return [value & LOW_MASK, value >> LOW_BITS];
}
