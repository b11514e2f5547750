const HALF_BITS = 128n;
const HALF_MASK = (1n << HALF_BITS) - 1n;

/**
 * Encodes a u256 for Cairo: low half, high half. @throws RangeError if the value is out of range
 */
export function u256(value: bigint): readonly [low: bigint, high: bigint] {
  if (value < 0n || value >> (2n * HALF_BITS) !== 0n)
    throw new RangeError('a u256 is from 0 to 2^256 - 1');
  return [value & HALF_MASK, value >> HALF_BITS];
}

export function bool(value: boolean): bigint {
  return value ? 1n : 0n;
}

/** Encodes an array of felts for Cairo: its length, then the felts. */
export function felts(values: readonly bigint[]): readonly bigint[] {
  return [BigInt(values.length), ...values];
}

/** Encodes 1 to 31 ASCII characters as a felt. @throws RangeError for any other text */
export function shortString(text: string): bigint {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is meant
  if (!/^[\x00-\x7f]{1,31}$/.test(text))
    throw new RangeError('a short string has 1 to 31 ASCII characters');
  return BigInt(`0x${Buffer.from(text, 'ascii').toString('hex')}`);
}
