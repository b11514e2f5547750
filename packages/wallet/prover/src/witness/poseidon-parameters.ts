import { SCALAR_FIELD } from '@sotto/wallet/advanced';

import { inverse } from '../fields.js';

/** Width of the permutation: the number of inputs and one. */
export type Width = 2 | 3;

/** Number of full rounds before the partial rounds, and again after them. */
export const HALF_OF_FULL_ROUNDS = 4;

/** Parameters of Poseidon over BN254's scalar field with the S-box x⁵. */
export interface PoseidonParameters {
  readonly width: Width;
  readonly partialRounds: number;
  /** Constants that each round adds to the state. */
  readonly constants: readonly (readonly bigint[])[];
  /** Matrix by which each round multiplies the state. */
  readonly matrix: readonly (readonly bigint[])[];
}

const FIELD_BITS = 254;
const PARTIAL_ROUNDS: Readonly<Record<Width, number>> = { 2: 56, 3: 57 };

/**
 * Computes the parameters as the authors of Poseidon define them: all numbers come from a Grain
 * shift register whose initial state describes the permutation (Grassi et al., "Poseidon", appendix
 * F). The constants are rejection samples; the matrix is a Cauchy matrix.
 */
export function poseidonParameters(width: Width): PoseidonParameters {
  const partialRounds = PARTIAL_ROUNDS[width];
  const bits = grain(width, partialRounds);
  const sample = (): bigint => BigInt(`0b${Array.from({ length: FIELD_BITS }, bits).join('')}`);
  const constant = (): bigint => {
    for (;;) {
      const value = sample();
      if (value < SCALAR_FIELD) return value;
    }
  };
  const constants = Array.from({ length: 2 * HALF_OF_FULL_ROUNDS + partialRounds }, () =>
    Array.from({ length: width }, constant),
  );
  const rows = Array.from({ length: width }, sample);
  const columns = Array.from({ length: width }, sample);
  const matrix = rows.map((row) => columns.map((column) => inverse(row + column, SCALAR_FIELD)));
  return { width, partialRounds, constants, matrix };
}

/** Number of bits that the register drops before its first output. */
const WARM_UP_BITS = 160;

/** Creates the bit source. Of each pair of bits, the second is used if the first is 1. */
function grain(width: Width, partialRounds: number): () => number {
  // All bits that the register ever held. The register is the last part of the stream.
  const stream = [
    [1, 2], // The field is a prime field.
    [0, 4], // The S-box is a power.
    [FIELD_BITS, 12],
    [width, 12],
    [2 * HALF_OF_FULL_ROUNDS, 10],
    [partialRounds, 10],
    [2 ** 30 - 1, 30],
  ].flatMap(([value = 0, length = 0]) =>
    Array.from(value.toString(2).padStart(length, '0'), Number),
  );
  const at = (index: number): number => stream[index] ?? 0;
  let start = 0;
  const next = (): number => {
    const bit =
      at(start + 62) ^
      at(start + 51) ^
      at(start + 38) ^
      at(start + 23) ^
      at(start + 13) ^
      at(start);
    stream.push(bit);
    start += 1;
    return bit;
  };
  for (let bit = 0; bit < WARM_UP_BITS; bit++) next();
  return () => {
    while (next() === 0) next();
    return next();
  };
}
