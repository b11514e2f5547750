import { Revert } from '../engine/contract.js';
import { selectorOf, shortStringToFelt } from '../engine/felt.js';

const HALF_BITS = 128n;
const HALF_MASK = (1n << HALF_BITS) - 1n;
/** Exclusive upper limit of a ContractAddress. */
const ADDRESS_BOUND = 2n ** 251n;
const U32_BOUND = 2n ** 32n;
const U64_BOUND = 2n ** 64n;

/**
 * Reader of calldata, which reads one parameter per call, as a Cairo contract does. A felt that is
 * missing or does not fit its type reverts with Cairo's text `Failed to deserialize param #n`.
 */
export class Arguments {
  readonly #calldata: readonly bigint[];
  #next = 0;
  #parameter = 0;
  #isCompound = false;

  constructor(calldata: readonly bigint[]) {
    this.#calldata = calldata;
  }

  felt(): bigint {
    this.#begin();
    return this.#take();
  }

  address(): bigint {
    return this.#below(ADDRESS_BOUND);
  }

  u32(): number {
    return Number(this.#below(U32_BOUND));
  }

  u64(): bigint {
    return this.#below(U64_BOUND);
  }

  /** Reads the index of an enum variant. @param count number of variants */
  variant(count: number): number {
    return Number(this.#below(BigInt(count)));
  }

  u128(): bigint {
    return this.#below(HALF_MASK + 1n);
  }

  u256(): bigint {
    this.#begin();
    const low = this.#take();
    const high = this.#take();
    if (low > HALF_MASK || high > HALF_MASK) this.#fail();
    return (high << HALF_BITS) + low;
  }

  /** Reads an array or span of felts, whose first felt is the length. */
  span(): readonly bigint[] {
    this.#begin();
    const length = this.#take();
    if (length > this.#calldata.length - this.#next) this.#fail();
    const start = this.#next;
    this.#next += Number(length);
    return this.#calldata.slice(start, this.#next);
  }

  /**
   * Reads an array of structs: its length, then each item with `read`. Error texts count the whole
   * array as one parameter.
   */
  array<T>(read: () => T): T[] {
    return this.compound(() => {
      const items: T[] = [];
      for (let left = this.#take(); left > 0n; left -= 1n) items.push(read());
      return items;
    });
  }

  /** Reads a struct or an enum, which error texts count as one parameter. */
  compound<T>(read: () => T): T {
    this.#begin();
    const isNested = this.#isCompound;
    this.#isCompound = true;
    const value = read();
    this.#isCompound = isNested;
    return value;
  }

  /** Number of felts that were read. */
  get position(): number {
    return this.#next;
  }

  /** Returns the next felt without consuming it; undefined at the end. */
  peek(): bigint | undefined {
    return this.#calldata[this.#next];
  }

  /** Reverts if felts remain after the last parameter. */
  end(): void {
    if (this.#next !== this.#calldata.length) throw new Revert('Input too long for arguments');
  }

  /**
   * Increments the number of the current parameter, unless the value is inside a compound
   * parameter.
   */
  #begin(): void {
    if (!this.#isCompound) this.#parameter += 1;
  }

  #below(bound: bigint): bigint {
    this.#begin();
    const value = this.#take();
    if (value >= bound) this.#fail();
    return value;
  }

  #take(): bigint {
    const value = this.#calldata[this.#next];
    this.#next += 1;
    return value ?? this.#fail();
  }

  #fail(): never {
    throw new Revert(`Failed to deserialize param #${this.#parameter}`);
  }
}

/** Reverts if the calldata of an entry point without parameters is not empty. */
export function noArguments(calldata: readonly bigint[]): void {
  new Arguments(calldata).end();
}

/** Encodes a u256 as two felts, as Cairo returns it: low half, high half. */
export function u256Felts(value: bigint): [low: bigint, high: bigint] {
  return [value & HALF_MASK, value >> HALF_BITS];
}

/** Decodes a u256 from the felts that a call returned. */
export function u256Result([low = 0n, high = 0n]: readonly bigint[]): bigint {
  return (high << HALF_BITS) + low;
}

export function boolFelt(value: boolean): bigint {
  return value ? 1n : 0n;
}

/** Encodes a text of 1 to 31 ASCII characters as a felt. @throws RangeError for any other text. */
export function shortStringFelt(text: string): bigint {
  const felt = shortStringToFelt(text);
  if (felt === undefined) throw new RangeError('a short string has 1 to 31 ASCII characters');
  return felt;
}

/**
 * Returns an artificial class hash for a model. A real class hash is computed from Sierra code,
 * which a model does not have.
 */
export function modelClassHash(model: string): bigint {
  return selectorOf(`sotto sandbox model ${model}`);
}
