import { keccak_256 } from '@noble/hashes/sha3.js';

const SELECTOR_BITS = 250n;

/**
 * Returns the selector of an entry point or event: the Keccak-256 of its name, truncated to 250
 * bits.
 */
export function selectorOf(name: string): bigint {
  return keccak_256(new TextEncoder().encode(name)).reduce(
    (value, byte) => ((value << 8n) | BigInt(byte)) & ((1n << SELECTOR_BITS) - 1n),
    0n,
  );
}
