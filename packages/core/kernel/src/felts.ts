import { FIELD_PRIME, InvalidFelt, toFelt, type Felt } from './felt.js';

const WORD_BYTES = 32;
const WORD_DIGITS = 2 * WORD_BYTES;
const DIGIT_ZERO = '0'.charCodeAt(0);
/**
 * Value of a character that is not a digit. The value shares no bit with the values of digits (0 to
 * 15).
 */
const NO_DIGIT = 16;
/** Digit value of each character, by character code. */
const HEX_DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NO_DIGIT : value;
});
/**
 * First byte of packed felts. Unpacked words begin with a byte of at most 8, so this byte
 * distinguishes packed felts from words.
 */
const PACKED_MARK = 0x80;
/** Maximum number of felts in one run, because the number is stored in one byte. */
const MAX_RUN = 255;
/** Number of bytes that store the felt size and the number of felts of a run. */
const RUN_HEADER_BYTES = 2;
const PRIME_BYTES = Buffer.from(FIELD_PRIME.toString(16).padStart(WORD_DIGITS, '0'), 'hex');

/**
 * Immutable sequence of felts, stored as 32-byte big-endian words. Calldata passes in this form
 * from the request to the hash, the ledger and the RPC request, so it is not converted to thousands
 * of strings.
 */
export class Felts {
  readonly length: number;
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.length = bytes.length / WORD_BYTES;
  }

  /**
   * Parses texts in the format of {@link toFelt}.
   * @throws InvalidFelt if a text is not a felt; the error contains the index of the first such
   *   text.
   */
  static parse(texts: readonly string[]): Felts {
    const bytes = Buffer.alloc(texts.length * WORD_BYTES);
    texts.forEach((text, index) => {
      const start = index * WORD_BYTES;
      if (!writeHex(text, bytes, start))
        bytes.write(word(at(index, () => toFelt(text))), start, 'hex');
    });
    return Felts.#checked(bytes);
  }

  /** @throws InvalidFelt if a value is not below the field prime. */
  static of(values: readonly bigint[]): Felts {
    const bytes = Buffer.alloc(values.length * WORD_BYTES);
    for (let index = 0; index < values.length; index += 1)
      writeHex(toFelt(values[index] ?? 0n), bytes, index * WORD_BYTES);
    return new Felts(bytes);
  }

  /**
   * Parses words that were stored by {@link toBytes}.
   * @throws InvalidFelt if the length is not a multiple of 32 or a word is not below the field
   *   prime.
   */
  static fromBytes(bytes: Uint8Array): Felts {
    if (bytes.length % WORD_BYTES !== 0)
      throw new InvalidFelt({ message: 'felt bytes must come in 32-byte words' });
    return Felts.#checked(Buffer.from(bytes));
  }

  /**
   * Unpacks the result of {@link toPacked}. Each sequence has exactly one packed form.
   * @throws InvalidFelt if the bytes are not the packed form of a sequence.
   */
  static fromPacked(packed: Uint8Array): Felts {
    const runs = [...runsOf(packed)];
    const words = Buffer.alloc(runs.reduce((sum, { count }) => sum + count, 0) * WORD_BYTES);
    let end = 0;
    for (const { start, size, count } of runs) {
      for (let from = start; from < start + size * count; from += size) {
        if (size > 1 && packed[from] === 0) throw notPacked('a felt has a leading zero');
        end += WORD_BYTES;
        words.set(packed.subarray(from, from + size), end - size);
      }
    }
    return Felts.#checked(words);
  }

  /** Returns true for the result of {@link toPacked}, false for the result of {@link toBytes}. */
  static isPacked(bytes: Uint8Array): boolean {
    return bytes[0] === PACKED_MARK;
  }

  /** Returns the felts of all parts, one after the other. */
  static join(...parts: readonly Felts[]): Felts {
    return new Felts(Buffer.concat(parts.map((part) => part.#bytes)));
  }

  static #checked(bytes: Buffer): Felts {
    for (let offset = 0; offset < bytes.length; offset += WORD_BYTES) {
      // The prime begins with a byte of 8. So for nearly every word, the comparison of the first
      // byte is sufficient.
      if (
        (bytes[offset] ?? 0) >= 8 &&
        bytes.compare(PRIME_BYTES, 0, WORD_BYTES, offset, offset + WORD_BYTES) >= 0
      ) {
        throw new InvalidFelt({
          message: 'value is outside the Starknet field',
          details: { index: offset / WORD_BYTES },
        });
      }
    }
    return new Felts(bytes);
  }

  /** Returns the value at `index`. @throws RangeError if the index is outside the sequence. */
  at(index: number): bigint {
    return BigInt(`0x${this.#word(index).toString('hex')}`);
  }

  /**
   * Returns the canonical text at `index`. @throws RangeError if the index is outside the sequence.
   */
  feltAt(index: number): Felt {
    return toFelt(this.at(index));
  }

  slice(start: number, end: number = this.length): Felts {
    return new Felts(this.#bytes.subarray(start * WORD_BYTES, end * WORD_BYTES));
  }

  /** Returns the canonical texts, as sent in RPC requests. */
  toHex(): string[] {
    const hex = this.#bytes.toString('hex');
    return Array.from({ length: this.length }, (_, index) => {
      const last = (index + 1) * WORD_DIGITS - 1;
      let first = last + 1 - WORD_DIGITS;
      while (first < last && hex.charCodeAt(first) === DIGIT_ZERO) first += 1;
      return `0x${hex.slice(first, last + 1)}`;
    });
  }

  /** Returns a copy of the words in a separate buffer. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes);
  }

  /**
   * Packs the felts without their leading zeros. The result consists of runs of felts of one size;
   * each run begins with the felt size and the number of felts. Hints of a proof are numbers of 96
   * bits, so a withdrawal needs 24 KB for them instead of 64 KB.
   */
  toPacked(): Uint8Array<ArrayBuffer> {
    // Reserve space for the worst case: every felt is in its own run and needs all its bytes.
    const packed = Buffer.alloc(1 + this.length * (WORD_BYTES + RUN_HEADER_BYTES));
    packed[0] = PACKED_MARK;
    let end = 1;
    let run = { size: 0, count: 0, at: 0 };
    for (let offset = 0; offset < this.#bytes.length; offset += WORD_BYTES) {
      const size = significantBytes(this.#bytes, offset);
      if (size !== run.size || run.count === MAX_RUN) {
        run = { size, count: 0, at: end };
        packed[run.at] = size;
        end += RUN_HEADER_BYTES;
      }
      run.count += 1;
      packed[run.at + 1] = run.count;
      this.#bytes.copy(packed, end, offset + WORD_BYTES - size, offset + WORD_BYTES);
      end += size;
    }
    return new Uint8Array(packed.subarray(0, end));
  }

  equals(other: Felts): boolean {
    return this.#bytes.equals(other.#bytes);
  }

  #word(index: number): Buffer {
    if (!Number.isInteger(index) || index < 0 || index >= this.length)
      throw new RangeError(`no felt at index ${index}`);
    return this.#bytes.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES);
  }
}

interface Run {
  /** Offset of the first felt of the run, in bytes. */
  readonly start: number;
  /** Size of each felt in the run, in bytes. */
  readonly size: number;
  readonly count: number;
}

/**
 * Parses the runs.
 * @throws InvalidFelt if the bytes are not a sequence of runs, or if two consecutive runs could be
 *   one run.
 */
function* runsOf(packed: Uint8Array): Generator<Run> {
  if (!Felts.isPacked(packed)) throw notPacked('the mark is missing');
  let before: Run | null = null;
  for (let end = 1; end < packed.length;) {
    const start = end + RUN_HEADER_BYTES;
    const [size = 0, count = 0] = packed.subarray(end, start);
    const run: Run = { start, size, count };
    end = start + size * count;
    if (size === 0 || size > WORD_BYTES || count === 0 || end > packed.length)
      throw notPacked('a run is not whole');
    if (before?.size === size && before.count < MAX_RUN) throw notPacked('a run was cut in two');
    yield run;
    before = run;
  }
}

/** Returns the number of bytes without leading zeros; 1 for zero. */
function significantBytes(words: Uint8Array, offset: number): number {
  let size = WORD_BYTES;
  while (size > 1 && words[offset + WORD_BYTES - size] === 0) size -= 1;
  return size;
}

function notPacked(why: string): InvalidFelt {
  return new InvalidFelt({ message: `these bytes are no packed felts: ${why}` });
}

function word(felt: Felt): string {
  return felt.slice(2).padStart(WORD_DIGITS, '0');
}

/**
 * Writes the word of a text that has `0x` and at most 64 digits. Returns false for any other text.
 * This loop over the digits needs a fifth of the time that Node needs to decode one long text.
 */
function writeHex(text: string, words: Buffer, start: number): boolean {
  const digits = text.length - 2;
  if (digits < 1 || digits > WORD_DIGITS || text.charCodeAt(0) !== DIGIT_ZERO) return false;
  if (text[1] !== 'x' && text[1] !== 'X') return false;
  let seen = 0;
  let offset = start + WORD_BYTES;
  for (let last = text.length - 1; last >= 2; last -= 2) {
    const low = digitOf(text, last);
    const high = last > 2 ? digitOf(text, last - 1) : 0;
    seen |= low | high;
    offset -= 1;
    words[offset] = (high << 4) | low;
  }
  return seen < NO_DIGIT;
}

function digitOf(text: string, index: number): number {
  return HEX_DIGITS[text.charCodeAt(index)] ?? NO_DIGIT;
}

function at(index: number, parse: () => Felt): Felt {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof InvalidFelt)) throw cause;
    throw new InvalidFelt({ message: cause.message, cause, details: { index } });
  }
}
