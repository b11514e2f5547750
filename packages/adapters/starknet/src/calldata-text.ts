import type { Felts } from '@sotto/kernel';
import type { SignedTransaction } from '@sotto/submission-core';

const WORD_BYTES = 32;
/** Maximum length of a felt in characters: `"0x`, all digits, `"` and a comma. */
const MOST_CHARACTERS = 3 + 2 * WORD_BYTES + 2;
const [QUOTE = 0, ZERO = 0, X = 0, COMMA = 0] = Buffer.from('"0x,');
/** Table of two hex digits for every byte value. */
const DIGITS = Buffer.from(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''),
);

/**
 * JSON in UTF-8, and the position of the call's calldata in it; the position is null if there is no
 * call.
 */
export type CallJson = Pick<SignedTransaction, 'bytes' | 'calldataAt'>;

/**
 * JSON in UTF-8 that begins with the `__execute__` calldata. For private actions, the fields
 * `proof_facts` and `proof` of the transaction follow, and the position of the calldata includes
 * these fields.
 */
export interface ExecuteJson extends CallJson {
  /** Number of bytes that the transaction hash covers: all except the field `proof`. */
  readonly hashedLength: number;
}

/**
 * Cache of the texts, because the same felts are converted three times: a withdrawal is simulated,
 * signed and sent.
 */
const texts = new WeakMap<Felts, Uint8Array>();

/**
 * Returns canonical felts as the elements of a JSON array, in UTF-8 and without the brackets.
 * Converts bytes to digits without intermediate strings. The result is cached for as long as the
 * felts are referenced.
 */
export function calldataText(calldata: Felts): Uint8Array {
  let text = texts.get(calldata);
  if (text === undefined) {
    text = textOf(calldata.toBytes());
    texts.set(calldata, text);
  }
  return text;
}

function textOf(words: Uint8Array): Uint8Array {
  const text = new Uint8Array((words.length / WORD_BYTES) * MOST_CHARACTERS);
  let end = 0;
  for (let next = WORD_BYTES; next <= words.length; next += WORD_BYTES) {
    if (end > 0) text[end++] = COMMA;
    text[end++] = QUOTE;
    text[end++] = ZERO;
    text[end++] = X;
    let at = next - WORD_BYTES;
    while (at < next - 1 && words[at] === 0) at += 1;
    for (let isFirst = true; at < next; at += 1, isFirst = false) {
      const digits = 2 * (words[at] ?? 0);
      const high = DIGITS[digits] ?? 0;
      if (!isFirst || high !== ZERO) text[end++] = high;
      text[end++] = DIGITS[digits + 1] ?? 0;
    }
    text[end++] = QUOTE;
  }
  return text.slice(0, end);
}
