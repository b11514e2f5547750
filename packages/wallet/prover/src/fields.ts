/**
 * Order of BN254's base field (EIP-197, alt_bn128). The coordinates of proof points are elements of
 * this field.
 */
export const BASE_FIELD =
  21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/** Returns the value modulo `order`, in [0, order). */
export function modulo(value: bigint, order: bigint): bigint {
  const rest = value % order;
  return rest < 0n ? rest + order : rest;
}

/** Returns base^exponent modulo `order`. Requires exponent ≥ 0. */
export function power(base: bigint, exponent: bigint, order: bigint): bigint {
  let result = 1n;
  let square = modulo(base, order);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % order;
    square = (square * square) % order;
  }
  return result;
}

/** Returns the inverse of a non-zero value modulo the prime `order`. */
export function inverse(value: bigint, order: bigint): bigint {
  return power(value, order - 2n, order);
}

/** Length of a field element in bytes, in keys and witnesses. */
export const ELEMENT_BYTES = 32;

/** Writes a non-negative value below 2^256 as 32 bytes, low byte first. */
export function writeElement(bytes: Uint8Array, at: number, value: bigint): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, ELEMENT_BYTES);
  let rest = value;
  for (let offset = 0; offset < ELEMENT_BYTES; offset += 8, rest >>= 64n)
    view.setBigUint64(offset, BigInt.asUintN(64, rest), true);
}

/** Reads 32 bytes, low byte first. */
export function readElement(bytes: Uint8Array, at: number): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, ELEMENT_BYTES);
  let value = 0n;
  for (let offset = ELEMENT_BYTES - 8; offset >= 0; offset -= 8)
    value = (value << 64n) | view.getBigUint64(offset, true);
  return value;
}
