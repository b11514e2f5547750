import { SCALAR_FIELD } from '@sotto/wallet/advanced';

import { inverse, modulo } from '../fields.js';
import {
  HALF_OF_FULL_ROUNDS,
  poseidonParameters,
  type PoseidonParameters,
  type Width,
} from './poseidon-parameters.js';

type Vector = readonly bigint[];
type Matrix = readonly Vector[];

/**
 * Hash of a circuit. Returns the digest and appends the values of the circuit's wires to `wires`.
 */
export type WiredHash = (inputs: Vector, wires: bigint[]) => bigint;

/**
 * Creates a Poseidon hash that records the wires of its circuit in the order of the development
 * key's circuit, which circom compiled with --O2. The wires of an S-box are a value that is linear
 * in its output, the square of its input and the fourth power of its input.
 */
export function wiredPoseidon(width: Width): WiredHash {
  const parameters = poseidonParameters(width);
  const rounds = parameters.constants.map((_, round) => round);
  const full = rounds.filter((round) => isFullRound(parameters, round));
  const partial = rounds.filter((round) => !isFullRound(parameters, round));
  const constants = constantsBeforeMatrix(parameters);

  return (inputs, wires) => {
    const { boxInputs, boxOutputs, digest } = permute(parameters, [0n, ...inputs]);
    for (const round of full.slice(0, -1)) {
      const sums = add(boxOutputs[round] ?? [], constants[round + 1] ?? []);
      wires.push(...withoutConstant(round, sums));
    }
    wires.push(...(boxOutputs.at(-1) ?? []).slice(0, -1));
    for (const round of partial) wires.push(boxInputs[round + 1]?.[0] ?? 0n);

    for (const round of full)
      for (const value of withoutConstant(round, boxInputs[round] ?? [])) pushPowers(wires, value);
    for (const round of partial) pushPowers(wires, boxInputs[round]?.[0] ?? 0n);
    return digest;
  };
}

/** Drops the first element of the first round, which is a constant and has no wires. */
function withoutConstant(round: number, values: Vector): Vector {
  return round === 0 ? values.slice(1) : values;
}

function pushPowers(wires: bigint[], value: bigint): void {
  const square = (value * value) % SCALAR_FIELD;
  wires.push(square, (square * square) % SCALAR_FIELD);
}

/**
 * Computes the permutation, with the inputs and outputs of the S-boxes in each round. Only the
 * first element passes an S-box in a partial round.
 */
function permute(parameters: PoseidonParameters, start: Vector) {
  const boxInputs: Vector[] = [];
  const boxOutputs: Vector[] = [];
  let state = start;
  parameters.constants.forEach((added, round) => {
    const isFull = isFullRound(parameters, round);
    const inputs = add(state, added);
    const outputs = inputs.map((value, index) =>
      isFull || index === 0 ? fifthPower(value) : value,
    );
    boxInputs.push(inputs);
    boxOutputs.push(outputs);
    state = multiply(parameters.matrix, outputs);
  });
  return { boxInputs, boxOutputs, digest: state[0] ?? 0n };
}

function fifthPower(value: bigint): bigint {
  const square = (value * value) % SCALAR_FIELD;
  return (((square * square) % SCALAR_FIELD) * value) % SCALAR_FIELD;
}

/**
 * Returns the constants of each round in the form of the circuit, which adds them before the matrix
 * of the previous round. The constants of the partial rounds that belong to an element without an
 * S-box are added before these rounds, all at once (Grassi et al., "Poseidon", appendix B).
 */
function constantsBeforeMatrix(parameters: PoseidonParameters): readonly Vector[] {
  const undo = inverted(parameters.matrix);
  const result: Vector[] = [];
  let later: Vector = [];
  for (let round = parameters.constants.length - 1; round >= 0; round--) {
    const added = parameters.constants[round] ?? [];
    const sum = isFullRound(parameters, round) ? added : add(added, [0n, ...later.slice(1)]);
    later = multiply(undo, sum);
    result.unshift(later);
  }
  return result;
}

function isFullRound({ partialRounds }: PoseidonParameters, round: number): boolean {
  return round < HALF_OF_FULL_ROUNDS || round >= HALF_OF_FULL_ROUNDS + partialRounds;
}

function add(one: Vector, other: Vector): Vector {
  return one.map((value, index) => (value + (other[index] ?? 0n)) % SCALAR_FIELD);
}

function multiply(matrix: Matrix, vector: Vector): Vector {
  return matrix.map(
    (row) =>
      row.reduce((sum, value, index) => sum + value * (vector[index] ?? 0n), 0n) % SCALAR_FIELD,
  );
}

/** Inverts a matrix by Gauss and Jordan's elimination. The matrices of Poseidon are invertible. */
function inverted(matrix: Matrix): Matrix {
  const size = matrix.length;
  let rows: Matrix = matrix.map((row, index) => [
    ...row,
    ...row.map((_, column) => (column === index ? 1n : 0n)),
  ]);
  for (let column = 0; column < size; column++) {
    const pivotAt = rows.findIndex((row, index) => index >= column && row[column] !== 0n);
    const factor = inverse(rows[pivotAt]?.[column] ?? 0n, SCALAR_FIELD);
    const pivot = (rows[pivotAt] ?? []).map((value) => (value * factor) % SCALAR_FIELD);
    const others = rows.filter((_, index) => index !== pivotAt);
    const cleared = others.map((row) =>
      row.map((value, index) =>
        modulo(value - (row[column] ?? 0n) * (pivot[index] ?? 0n), SCALAR_FIELD),
      ),
    );
    rows = cleared.toSpliced(column, 0, pivot);
  }
  return rows.map((row) => row.slice(size));
}
