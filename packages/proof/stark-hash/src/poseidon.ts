import { readFileSync } from 'node:fs';
import { Felts, InvalidFelt } from '@sotto/kernel';
import { LIMB_COUNT, fromMontgomery, valueOf } from './field.js';

const WORD_BYTES = 32;
const PAIR_BYTES = 2 * WORD_BYTES;

/** Exports of the WebAssembly module that codegen/module.ts generates. */
interface SpongeExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  reset(): void;
  absorb(pairs: number): number;
  inputPointer(): number;
  capacity(): number;
  statePointer(): number;
}

// TypeScript declares the WebAssembly types only as part of the DOM library.
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: SpongeExports };
};

/** Instance of the compiled sponge in this thread. */
class Sponge {
  readonly #exports: SpongeExports;
  readonly #input: Uint8Array;
  readonly #firstElement: BigInt64Array;
  /**
   * Initial value of the first element of the state: a round constant, which must be subtracted
   * from the hash.
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
    // Pad with a 1 after the last felt. If the number of felts is then odd, add a 0.
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
 * Returns Starknet's Poseidon hash of felts given as consecutive 32-byte big-endian words. For
 * 2,000 felts, the hash needs about 5 ms of the calling thread.
 * @throws InvalidFelt if a word is not below the field prime, or the number of bytes is not a
 *   multiple of 32
 */
export function poseidon(words: Uint8Array): bigint {
  if (words.length % WORD_BYTES !== 0)
    throw new InvalidFelt({ message: 'felt bytes must come in 32-byte words' });
  return sponge.hash(words);
}

/**
 * Returns Starknet's Poseidon hash of a few felts. @throws InvalidFelt if a value is not in the
 * field
 */
export function poseidonOf(values: readonly bigint[]): bigint {
  return sponge.hash(Felts.of(values).toBytes());
}

/**
 * Number of words per hash, and number of hashes. After these hashes, the engine has compiled the
 * code to its fastest form.
 */
const WARM_UP_WORDS = 512;
const WARM_UP_HASHES = 10;

/**
 * Makes the engine compile the code to its fastest form, which blocks the calling thread for about
 * 15 ms. The first real hash is then as fast as later hashes.
 */
export function warmUp(): void {
  const words = new Uint8Array(WORD_BYTES * WARM_UP_WORDS);
  for (let hash = 0; hash < WARM_UP_HASHES; hash += 1) sponge.hash(words);
}
