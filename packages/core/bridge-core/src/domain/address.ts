import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { toFelt, type Felt } from '@sotto/kernel';
import type { ChainFamily } from './catalogue.js';

const EVM = /^0x[0-9a-fA-F]{40}$/;
/** Maximum number of base58 digits that encode 32 bytes. */
const SOLANA_MAX_DIGITS = 44;
const SOLANA_BYTES = 32;
const STARKNET = /^0x[0-9a-fA-F]{1,64}$/;
/**
 * Exclusive maximum of contract addresses, <https://docs.starknet.io/learn/protocol/cryptography>.
 */
const STARKNET_ADDRESS_LIMIT = 2n ** 251n - 256n;
/**
 * Format of account ids according to <https://nomicon.io/DataStructures/Account>. The format
 * includes implicit accounts (64 hex digits).
 */
const NEAR = /^(?:[a-z\d]+[-_])*[a-z\d]+(?:\.(?:[a-z\d]+[-_])*[a-z\d]+)*$/;
const NEAR_LENGTH = { least: 2, most: 64 };

/**
 * Returns true if the text is an address that can receive funds on chains of this family. Returns
 * false for the zero address, because the zero address has no key.
 */
export function isAddress(family: ChainFamily, text: string): boolean {
  switch (family) {
    case 'evm':
      return isEvmAddress(text);
    case 'solana':
      return isSolanaAddress(text);
    case 'near':
      return text.length >= NEAR_LENGTH.least && text.length <= NEAR_LENGTH.most && NEAR.test(text);
    case 'starknet':
      return STARKNET.test(text) && BigInt(text) > 0n && BigInt(text) < STARKNET_ADDRESS_LIMIT;
  }
}

/** Returns the canonical value of a Starknet address, including zero; undefined for other text. */
export function starknetAddress(text: string): Felt | undefined {
  return STARKNET.test(text) && BigInt(text) < STARKNET_ADDRESS_LIMIT ? toFelt(text) : undefined;
}

/**
 * Returns the normal form of an address. Different spellings of one address have the same normal
 * form.
 */
export function canonicalAddress(family: ChainFamily, text: string): string {
  switch (family) {
    case 'evm':
      return text.toLowerCase();
    case 'starknet':
      return starknetAddress(text) ?? text;
    case 'solana':
    case 'near':
      return text;
  }
}

function isEvmAddress(text: string): boolean {
  if (!EVM.test(text) || BigInt(text) === 0n) return false;
  const digits = text.slice(2);
  // An address whose letters are all lower-case or all upper-case has no checksum.
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return digits === checksummed(digits.toLowerCase());
}

/**
 * Returns the EIP-55 form of the address: a letter is upper-case if the hash of the address has a
 * hex digit above 7 at the letter's position.
 */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return digits.replaceAll(/[a-f]/g, (letter, index: number) =>
    Number.parseInt(hash.charAt(index), 16) > 7 ? letter.toUpperCase() : letter,
  );
}

function isSolanaAddress(text: string): boolean {
  if (text.length > SOLANA_MAX_DIGITS) return false;
  try {
    const bytes = base58.decode(text);
    return bytes.length === SOLANA_BYTES && bytes.some((byte) => byte !== 0);
  } catch {
    return false;
  }
}
