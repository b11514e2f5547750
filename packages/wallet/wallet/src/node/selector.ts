import { keccak_256 } from '@noble/hashes/sha3.js';

const SELECTOR_BITS = 250n;

/** What Starknet knows an entry point or event by: its name's Keccak-256, cut to 250 bits. */
export function selectorOf(name: string): bigint {
  return keccak_256(new TextEncoder().encode(name)).reduce(
    (value, byte) => ((value << 8n) | BigInt(byte)) & ((1n << SELECTOR_BITS) - 1n),
    0n,
  );
}
