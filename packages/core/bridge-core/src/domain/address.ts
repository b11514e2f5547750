import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { toFelt, type Felt } from '@sotto/kernel';
import type { ChainFamily } from './catalogue.js';

const EVM = /^0x[0-9a-fA-F]{40}$/;
/** 32 bytes have at most 44 digits. */
const SOLANA_MAX_DIGITS = 44;
const SOLANA_BYTES = 32;
const STARKNET = /^0x[0-9a-fA-F]{1,64}$/;
/**
 * Contract addresses are below 2^251 - 256, <https://docs.starknet.io/learn/protocol/cryptography>.
 */
const STARKNET_ADDRESS_LIMIT = 2n ** 251n - 256n;
/**
 * <https://nomicon.io/DataStructures/Account>; implicit accounts (64 hex digits) have this form as
 * well.
 */
const NEAR = /^(?:[a-z\d]+[-_])*[a-z\d]+(?:\.(?:[a-z\d]+[-_])*[a-z\d]+)*$/;
const NEAR_LENGTH = { least: 2, most: 64 };

/**
 * Whether funds can be sent to the text on a chain of this family. The zero address does not count:
 * it has no key.
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

/** Canonical value of a Starknet address, zero included; undefined for other text. */
export function starknetAddress(text: string): Felt | undefined {
  return STARKNET.test(text) && BigInt(text) < STARKNET_ADDRESS_LIMIT ? toFelt(text) : undefined;
}

/** The form in which two texts of one address are equal. */
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
  // Letters of one case carry no checksum.
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return digits === checksummed(digits.toLowerCase());
}

/** EIP-55: a letter is upper-case where the hash of the address has a digit above 7. */
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
