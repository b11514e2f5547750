import { SCALAR_FIELD } from '@sotto/wallet/advanced';

import { ELEMENT_BYTES, modulo, readElement, writeElement } from '../fields.js';
import type { WithdrawalSignals } from '../statement.js';

/**
 * Functions of a witness generator that circom 2 compiled to WebAssembly. Field elements pass
 * through a shared buffer of 32-bit words, lowest first. A signal is named by a hash in two halves.
 */
interface Generator {
  readonly getVersion: () => number;
  readonly getFieldNumLen32: () => number;
  readonly getRawPrime: () => void;
  readonly init: (checksConstraints: number) => void;
  readonly getInputSize: () => number;
  readonly getInputSignalSize: (high: number, low: number) => number;
  readonly setInputSignal: (high: number, low: number, index: number) => void;
  readonly getWitnessSize: () => number;
  readonly getWitness: (wire: number) => void;
  readonly readSharedRWMemory: (word: number) => number;
  readonly writeSharedRWMemory: (word: number, value: number) => void;
}

/** Declares the part of WebAssembly's interface that this file uses. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, Readonly<Record<string, () => void>>>>,
  ): Promise<{ readonly instance: { readonly exports: object } }>;
};

const FUNCTIONS = [
  'getVersion',
  'getFieldNumLen32',
  'getRawPrime',
  'init',
  'getInputSize',
  'getInputSignalSize',
  'setInputSignal',
  'getWitnessSize',
  'getWitness',
  'readSharedRWMemory',
  'writeSharedRWMemory',
] as const satisfies readonly (keyof Generator)[];

const WORDS = ELEMENT_BYTES / 4;

/**
 * Computes the witness of a circuit by its own generator: 32 bytes for each wire, low byte first.
 * @throws Error if the generator rejects the signals or has other inputs or wires
 */
export type CircomWitness = (signals: WithdrawalSignals, wires: number) => Uint8Array;

/**
 * Starts a generator. The generator can call only functions that receive its error messages.
 * @throws Error if the bytes are not a generator of circom 2 over BN254
 */
export async function startCircomWitness(wasm: Uint8Array): Promise<CircomWitness> {
  const generator = await start(wasm);
  return (signals, wires) => {
    generator.init(1);
    let given = 0;
    for (const [name, value] of Object.entries(signals)) {
      const values: readonly (bigint | number)[] = Array.isArray(value) ? value : [value];
      const [high, low] = nameOf(name);
      if (generator.getInputSignalSize(high, low) !== values.length)
        throw new Error(`the circuit has another ${name}`);
      values.forEach((one, index) => {
        share(generator, modulo(BigInt(one), SCALAR_FIELD));
        generator.setInputSignal(high, low, index);
      });
      given += values.length;
    }
    if (given !== generator.getInputSize()) throw new Error('the circuit has more inputs');
    if (generator.getWitnessSize() !== wires)
      throw new Error('the proving key is of another circuit');
    const witness = new Uint8Array(wires * ELEMENT_BYTES);
    for (let wire = 0; wire < wires; wire++) {
      generator.getWitness(wire);
      witness.set(shared(generator), wire * ELEMENT_BYTES);
    }
    return witness;
  };
}

function reject(): never {
  throw new Error('the circuit rejects the signals');
}

function ignore(): void {}

async function start(wasm: Uint8Array): Promise<Generator> {
  const { instance } = await WebAssembly.instantiate(wasm, {
    runtime: {
      exceptionHandler: reject,
      printErrorMessage: ignore,
      writeBufferMessage: ignore,
      showSharedRWMemory: ignore,
    },
  });
  const { exports } = instance;
  if (!isGenerator(exports)) throw new Error('not a witness generator of circom 2');
  if (exports.getVersion() !== 2 || exports.getFieldNumLen32() !== WORDS)
    throw new Error('not a witness generator of circom 2 over BN254');
  exports.getRawPrime();
  if (readElement(shared(exports), 0) !== SCALAR_FIELD)
    throw new Error('the witness generator is over another field');
  return exports;
}

function isGenerator(exports: object): exports is Generator {
  const functions = new Map<string, unknown>(Object.entries(exports));
  return FUNCTIONS.every((name) => typeof functions.get(name) === 'function');
}

function share(generator: Generator, value: bigint): void {
  const bytes = new Uint8Array(ELEMENT_BYTES);
  writeElement(bytes, 0, value);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < WORDS; word++)
    generator.writeSharedRWMemory(word, view.getUint32(4 * word, true));
}

function shared(generator: Generator): Uint8Array {
  const view = new DataView(new ArrayBuffer(ELEMENT_BYTES));
  for (let word = 0; word < WORDS; word++)
    view.setUint32(4 * word, generator.readSharedRWMemory(word), true);
  return new Uint8Array(view.buffer);
}

/** Returns the 64-bit FNV-1a hash of a signal's name, as two 32-bit halves. */
function nameOf(signal: string): [high: number, low: number] {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(signal))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return [Number(hash >> 32n), Number(hash & 0xffffffffn)];
}
