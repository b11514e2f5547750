import { SCALAR_FIELD } from '@sotto/wallet/advanced';

import { BASE_FIELD, ELEMENT_BYTES, inverse, readElement, writeElement } from '../fields.js';
import { startMcl, type Mcl } from './mcl.js';

/** Length of a scalar in mcl's memory, in bytes. */
export const SCALAR_BYTES = ELEMENT_BYTES;
/** Length of a coordinate in mcl's memory, in bytes: mcl also supports larger fields. */
const COORDINATE_BYTES = 48;

/** Groups of the curve, with the length of their points in mcl's memory in bytes. */
export const GROUP = {
  g1: { degree: 1, bytes: 3 * COORDINATE_BYTES },
  g2: { degree: 2, bytes: 6 * COORDINATE_BYTES },
} as const;
export type Group = keyof typeof GROUP;

/** Length of an element of the target group in mcl's memory, in bytes. */
export const TARGET_BYTES = 12 * COORDINATE_BYTES;

/** Factor of Montgomery form. */
const MONTGOMERY = 2n ** 256n;
const UNDO_MONTGOMERY = inverse(MONTGOMERY, BASE_FIELD);
const ONE = new Uint8Array(ELEMENT_BYTES);
writeElement(ONE, 0, MONTGOMERY % BASE_FIELD);

/**
 * Separate instance of mcl with its memory, for one proof. Memory is never freed, and `wipe` ends
 * the use of the instance.
 */
export class Curve {
  constructor(readonly mcl: Mcl) {}

  /**
   * Starts an instance and checks mcl's representation of numbers, on which the prover depends.
   * @throws Error if WebAssembly is forbidden, or if mcl represents numbers differently
   */
  static async start(): Promise<Curve> {
    const curve = new Curve(await startMcl());
    checkRepresentation(curve);
    return curve;
  }

  /** Memory of mcl. The view is valid until mcl allocates more memory. */
  get memory(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.mcl.memory.buffer);
  }

  /** Allocates memory, filled with zeros. @throws Error if no memory is left */
  allocate(bytes: number): number {
    const at = this.mcl.allocate(bytes);
    if (at === 0) throw new Error('mcl has no memory left');
    this.memory.fill(0, at, at + bytes);
    return at;
  }

  /** Allocates a scalar in Montgomery form. Requires a value in [0, r). */
  scalar(value: bigint): number {
    const at = this.allocate(SCALAR_BYTES);
    writeElement(this.memory, at, (value * MONTGOMERY) % SCALAR_FIELD);
    return at;
  }

  /**
   * Allocates a uniformly random scalar: a sample of 254 bits that is not below r is dropped.
   * Montgomery form of a uniform scalar is uniform as well, so the bytes need no conversion.
   */
  randomScalar(): number {
    const at = this.allocate(SCALAR_BYTES);
    const sample = new Uint8Array(SCALAR_BYTES);
    const last = SCALAR_BYTES - 1;
    do {
      crypto.getRandomValues(sample);
      sample[last] = (sample[last] ?? 0) & 0x3f;
    } while (readElement(sample, 0) >= SCALAR_FIELD);
    this.memory.set(sample, at);
    sample.fill(0);
    return at;
  }

  /** Allocates points, all at infinity. */
  points(group: Group, count = 1): number {
    return this.allocate(count * GROUP[group].bytes);
  }

  /** Writes an affine point of a proving key; coordinates are in Montgomery form in both. */
  writePoint(group: Group, at: number, point: Uint8Array): void {
    const { memory } = this;
    const elements = 2 * GROUP[group].degree;
    for (let index = 0; index < elements; index++) {
      const coordinate = point.subarray(index * ELEMENT_BYTES, (index + 1) * ELEMENT_BYTES);
      memory.set(coordinate, at + index * COORDINATE_BYTES);
    }
    memory.set(ONE, at + elements * COORDINATE_BYTES);
  }

  /** Allocates a point of a proving key. @throws Error if it is not a finite point of the group */
  keyPoint(group: Group, point: Uint8Array): number {
    const at = this.points(group);
    this.writePoint(group, at, point);
    if (!this.isMember(group, at)) throw new Error('a point of the proving key is invalid');
    return at;
  }

  /** Checks that a point is finite, on the curve and in the subgroup. */
  isMember(group: Group, at: number): boolean {
    const { isOnCurve, isInSubgroup, isInfinity } = this.mcl[group];
    return isOnCurve(at) === 1 && isInSubgroup(at) === 1 && isInfinity(at) === 0;
  }

  /** Returns the coordinates of a normalised point, x first. */
  coordinates(group: Group, at: number): bigint[] {
    const { memory } = this;
    return Array.from({ length: 2 * GROUP[group].degree }, (_, index) => {
      const offset = at + index * COORDINATE_BYTES;
      return (readElement(memory, offset) * UNDO_MONTGOMERY) % BASE_FIELD;
    });
  }

  /** Overwrites all memory, including mcl's stack. The instance is then unusable. */
  wipe(): void {
    this.memory.fill(0);
  }
}

/**
 * Multiplies numbers without their conversion, in both fields. In Montgomery form, the product is
 * x·y/2^256.
 * @throws Error if mcl uses another form, because numbers of a proving key would then be wrong
 */
export function checkRepresentation(curve: Curve): void {
  const x = curve.allocate(3 * COORDINATE_BYTES);
  const y = x + COORDINATE_BYTES;
  const z = y + COORDINATE_BYTES;
  const { fr, fp } = curve.mcl;
  const fields = [
    [SCALAR_FIELD, fr],
    [BASE_FIELD, fp],
  ] as const;
  for (const [order, { multiply, isOne }] of fields) {
    writeElement(curve.memory, x, order - 2n);
    writeElement(curve.memory, y, (order - 1n) / 3n);
    multiply(z, x, y);
    const product = (order - 2n) * ((order - 1n) / 3n) * inverse(MONTGOMERY, order);
    const found = readElement(curve.memory, z);
    writeElement(curve.memory, z, MONTGOMERY % order);
    if (found !== product % order || isOne(z) !== 1)
      throw new Error('mcl represents numbers in another form');
  }
}
