import { readFileSync } from 'node:fs';
import { Felts, InvalidFelt } from '@sotto/kernel';
import { LIMB_COUNT, fromMontgomery, valueOf } from './field.js';

const WORD_BYTES = 32;
const PAIR_BYTES = 2 * WORD_BYTES;

/** What codegen/module.ts exports. */
interface SpongeExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  reset(): void;
  absorb(pairs: number): number;
  inputPointer(): number;
  capacity(): number;
  statePointer(): number;
}

// TypeScript knows WebAssembly as a part of the DOM only.
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: SpongeExports };
};

/** The compiled sponge of this thread. */
class Sponge {
  readonly #exports: SpongeExports;
  readonly #input: Uint8Array;
  readonly #firstElement: BigInt64Array;
  /**
   * What the first element holds before anything is absorbed: round constants, which are no part of
   * the hash.
   */
  readonly #empty: bigint;

  constructor(code: Uint8Array) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code));
    this.#exports = exports;
    this.#input = new Uint8Array(
      exports.memory.buffer,
      exports.inputPointer(),
      WORD_BYTES * exports.capacity(),
    );
    this.#firstElement = new BigInt64Array(
      exports.memory.buffer,
      exports.statePointer(),
      LIMB_COUNT,
    );
    exports.reset();
    this.#empty = valueOf(this.#firstElement);
  }

  hash(words: Uint8Array): bigint {
    const input = this.#input;
    this.#exports.reset();
    let offset = 0;
    for (; words.length - offset >= input.length; offset += input.length) {
      input.set(words.subarray(offset, offset + input.length));
      this.#exports.absorb(input.length / PAIR_BYTES);
    }
    // Behind the last felt stands a 1, and a 0 if the number is odd then.
    const rest = words.length - offset;
    const padded = rest - (rest % PAIR_BYTES) + PAIR_BYTES;
    input.set(words.subarray(offset));
    input.fill(0, rest, padded);
    input[rest + WORD_BYTES - 1] = 1;
    const inRange = this.#exports.absorb(padded / PAIR_BYTES);
    if (inRange === 0) throw new InvalidFelt({ message: 'value is outside the Starknet field' });
    return fromMontgomery(valueOf(this.#firstElement) - this.#empty);
  }
}

const sponge = new Sponge(readFileSync(new URL('../dist/sponge.wasm', import.meta.url)));

/**
 * Starknet's Poseidon of felts given as 32-byte big-endian words, one after the other; 2,000 take
 * some 5 ms of the calling thread.
 * @throws InvalidFelt for a word that is not below the field prime, and for bytes that are no whole
 *   number of words
 */
export function poseidon(words: Uint8Array): bigint {
  if (words.length % WORD_BYTES !== 0)
    throw new InvalidFelt({ message: 'felt bytes must come in 32-byte words' });
  return sponge.hash(words);
}

/** Starknet's Poseidon of a few felts. @throws InvalidFelt for a value that is not in the field */
export function poseidonOf(values: readonly bigint[]): bigint {
  return sponge.hash(Felts.of(values).toBytes());
}

/**
 * Hashes long enough for the engine to have translated the code a second time, to its fastest form.
 */
const WARM_UP_WORDS = 512;
const WARM_UP_HASHES = 20;

/** Some 30 ms of the calling thread, after which the first real hash is no slower than the next. */
export function warmUp(): void {
  const words = new Uint8Array(WORD_BYTES * WARM_UP_WORDS);
  for (let hash = 0; hash < WARM_UP_HASHES; hash += 1) sponge.hash(words);
}
