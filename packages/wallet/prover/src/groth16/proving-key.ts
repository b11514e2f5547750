import { SCALAR_FIELD } from '@sotto/wallet/advanced';

import { BASE_FIELD, ELEMENT_BYTES, readElement, writeElement } from '../fields.js';

/** Length of a point of G1 in a proving key, in bytes. */
const G1_BYTES = 2 * ELEMENT_BYTES;
/** Length of a point of G2 in a proving key, in bytes. */
const G2_BYTES = 4 * ELEMENT_BYTES;

/**
 * Greatest number of rows that the prover accepts. This limit bounds the memory and the time of a
 * proof.
 */
const MOST_ROWS = 2 ** 18;

/** Length in bytes of one entry of the constraint matrices: matrix, row, wire and coefficient. */
export const COEFFICIENT_BYTES = 12 + ELEMENT_BYTES;

/**
 * Groth16 proving key over BN254. All fields are views of the file's bytes.
 *
 * - Points are affine. Coordinates are in Montgomery form, low byte first; zeros are the point at
 *   infinity.
 * - Coefficients of the constraint matrices are multiplied by 2^512.
 */
export interface ProvingKey {
  /** Number of wires, including the constant 1. */
  readonly wires: number;
  readonly publicInputs: number;
  /** Number of rows of the constraint matrices: a power of two. */
  readonly rows: number;
  readonly alpha1: Uint8Array;
  readonly beta1: Uint8Array;
  readonly beta2: Uint8Array;
  readonly gamma2: Uint8Array;
  readonly delta1: Uint8Array;
  readonly delta2: Uint8Array;
  /** Points of the verification key for the constant 1 and for each public input. */
  readonly ic: Uint8Array;
  readonly coefficients: Uint8Array;
  readonly a: Uint8Array;
  readonly b1: Uint8Array;
  readonly b2: Uint8Array;
  /** Points of the private wires. */
  readonly c: Uint8Array;
  /** Points of the quotient's values on the coset. */
  readonly h: Uint8Array;
}

/** Identifiers of the file's sections. */
const SECTION = {
  protocol: 1,
  header: 2,
  ic: 3,
  coefficients: 4,
  a: 5,
  b1: 6,
  b2: 7,
  c: 8,
  h: 9,
} as const;

const MAGIC = 0x7a6b6579;
const GROTH16 = 1;
const HEADER_BYTES = 2 * (4 + ELEMENT_BYTES) + 12 + 3 * G1_BYTES + 3 * G2_BYTES;

/**
 * Parses a proving key (.zkey, version 1). Checks protocol, curve, sizes, and that each number is
 * below its field's order. Does not check that the points are on the curve; the prover checks the
 * proof that it makes from them.
 * @throws Error naming the invalid part
 */
export function parseProvingKey(bytes: Uint8Array): ProvingKey {
  const section = sectionsOf(bytes);
  const protocol = section('protocol', 4);
  if (viewOf(protocol).getUint32(0, true) !== GROTH16) throw invalid('its protocol is not Groth16');
  const header = section('header', HEADER_BYTES);
  const { wires, publicInputs, rows } = sizesOf(header);
  let at = HEADER_BYTES - 3 * G1_BYTES - 3 * G2_BYTES;
  const point = (length: number): Uint8Array => {
    at += length;
    return header.subarray(at - length, at);
  };
  const coefficients = section('coefficients');
  const count = coefficients.length < 4 ? 0 : viewOf(coefficients).getUint32(0, true);
  if (coefficients.length !== 4 + count * COEFFICIENT_BYTES) throw invalid('its coefficients');
  const key: ProvingKey = {
    wires,
    publicInputs,
    rows,
    alpha1: point(G1_BYTES),
    beta1: point(G1_BYTES),
    beta2: point(G2_BYTES),
    gamma2: point(G2_BYTES),
    delta1: point(G1_BYTES),
    delta2: point(G2_BYTES),
    ic: section('ic', (publicInputs + 1) * G1_BYTES),
    coefficients: coefficients.subarray(4),
    a: section('a', wires * G1_BYTES),
    b1: section('b1', wires * G1_BYTES),
    b2: section('b2', wires * G2_BYTES),
    c: section('c', (wires - publicInputs - 1) * G1_BYTES),
    h: section('h', rows * G1_BYTES),
  };
  checkCoefficients(key);
  const { alpha1, beta1, beta2, gamma2, delta1, delta2, ic, a, b1, b2, c, h } = key;
  for (const points of [alpha1, beta1, beta2, gamma2, delta1, delta2, ic, a, b1, b2, c, h])
    for (let offset = 0; offset < points.length; offset += ELEMENT_BYTES)
      if (!isBelow(points, offset, BASE)) throw invalid('a coordinate is not below its field');
  return key;
}

/** @returns a function that reads a section, and checks its length if a length is given */
function sectionsOf(
  bytes: Uint8Array,
): (name: keyof typeof SECTION, length?: number) => Uint8Array {
  const view = viewOf(bytes);
  if (bytes.length < 12 || view.getUint32(0) !== MAGIC || view.getUint32(4, true) !== 1)
    throw invalid('it is not a .zkey of version 1');
  const sections = new Map<number, Uint8Array>();
  let at = 12;
  for (let left = view.getUint32(8, true); left > 0; left--) {
    if (at + 12 > bytes.length) throw invalid('it is cut off');
    const id = view.getUint32(at, true);
    const length = Number(view.getBigUint64(at + 4, true));
    at += 12;
    if (at + length > bytes.length) throw invalid('it is cut off');
    if (sections.has(id)) throw invalid('a section occurs twice');
    sections.set(id, bytes.subarray(at, at + length));
    at += length;
  }
  return (name, length) => {
    const found = sections.get(SECTION[name]);
    if (found === undefined || (length !== undefined && found.length !== length))
      throw invalid(`its section ${name}`);
    return found;
  };
}

function sizesOf(header: Uint8Array): Pick<ProvingKey, 'wires' | 'publicInputs' | 'rows'> {
  const view = viewOf(header);
  const scalarAt = 4 + ELEMENT_BYTES;
  const isBn254 =
    view.getUint32(0, true) === ELEMENT_BYTES &&
    readElement(header, 4) === BASE_FIELD &&
    view.getUint32(scalarAt, true) === ELEMENT_BYTES &&
    readElement(header, scalarAt + 4) === SCALAR_FIELD;
  if (!isBn254) throw invalid('its curve is not BN254');
  const [wires = 0, publicInputs = 0, rows = 0] = [0, 4, 8].map((offset) =>
    view.getUint32(2 * scalarAt + offset, true),
  );
  const isPowerOfTwo = (rows & (rows - 1)) === 0;
  if (rows < 2 || rows > MOST_ROWS || !isPowerOfTwo) throw invalid('its number of rows');
  if (wires > 4 * MOST_ROWS || publicInputs >= wires) throw invalid('its number of wires');
  return { wires, publicInputs, rows };
}

function checkCoefficients({ coefficients, rows, wires }: ProvingKey): void {
  const view = viewOf(coefficients);
  for (let at = 0; at < coefficients.length; at += COEFFICIENT_BYTES) {
    const isValid =
      view.getUint32(at, true) <= 1 &&
      view.getUint32(at + 4, true) < rows &&
      view.getUint32(at + 8, true) < wires &&
      isBelow(coefficients, at + 12, SCALAR);
    if (!isValid) throw invalid('a coefficient');
  }
}

const BASE = bytesOf(BASE_FIELD);
const SCALAR = bytesOf(SCALAR_FIELD);

function bytesOf(value: bigint): Uint8Array {
  const bytes = new Uint8Array(ELEMENT_BYTES);
  writeElement(bytes, 0, value);
  return bytes;
}

/** Compares 32 bytes with a limit, from the highest byte. */
function isBelow(bytes: Uint8Array, at: number, limit: Uint8Array): boolean {
  for (let index = ELEMENT_BYTES - 1; index >= 0; index--) {
    const difference = (bytes[at + index] ?? 0) - (limit[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function invalid(reason: string): Error {
  return new Error(`the proving key is invalid: ${reason}`);
}
