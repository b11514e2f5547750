import { poseidon, warmUp } from '@sotto/stark-hash';
import { move, transferableSymbol, valueSymbol } from 'piscina';

/** What does not depend on nonce, price or account of a transaction. */
export interface HashedWords {
  /** Poseidon of the words. */
  readonly hash: bigint;
  /** The words as a JSON array of canonical felts, in UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>;
}

/** Digits of a 32-byte word. */
const WORD_DIGITS = 64;

warmUp();

/** Answers as soon as the module has been loaded, which includes the warm-up. */
export function ready(): true {
  return true;
}

/**
 * Hash and text of 32-byte big-endian words, each below the field prime. Takes and gives buffers
 * away instead of copying them.
 */
export function hashWords(parts: readonly Uint8Array[]): unknown {
  const words = Buffer.concat(parts);
  const json = new TextEncoder().encode(jsonOf(words.toString('hex')));
  const hashed: HashedWords = { hash: poseidon(words), json };
  return move({ [transferableSymbol]: json.buffer, [valueSymbol]: hashed });
}

function jsonOf(digits: string): string {
  const felts: string[] = [];
  for (let end = WORD_DIGITS; end <= digits.length; end += WORD_DIGITS) {
    let start = end - WORD_DIGITS;
    while (start < end - 1 && digits[start] === '0') start += 1;
    felts.push(`"0x${digits.slice(start, end)}"`);
  }
  return `[${felts.join(',')}]`;
}
