import { createHash } from 'node:crypto';
import { FIELD_PRIME } from '@sotto/kernel';
import { canonical } from '../field.js';

/**
 * Number of full rounds of Starknet's Hades permutation before the partial rounds. The same number
 * of full rounds follows after the partial rounds.
 */
export const FULL_ROUNDS = 4;
export const PARTIAL_ROUNDS = 83;

type Triple = readonly [x: bigint, y: bigint, z: bigint];

/**
 * Returns the constants of one round as Starknet derives them: SHA-256 of "Hades" and a consecutive
 * number, modulo p.
 */
export function roundConstants(round: number): Triple {
  return [derived(3 * round), derived(3 * round + 1), derived(3 * round + 2)];
}

function derived(index: number): bigint {
  return BigInt(`0x${createHash('sha256').update(`Hades${index}`).digest('hex')}`) % FIELD_PRIME;
}

const HALF = (FIELD_PRIME + 1n) / 2n;
const QUARTER = HALF * HALF;

/**
 * Returns all constants in the sequence in which the permutation adds them. The constants of each
 * round are added right after the matrix product of the previous round:
 *
 * - three constants for each of the rounds 1 … 3;
 * - one constant for each partial round. These rounds represent x and y as g = (x + y)/2 and f = (x
 *   − y)/4 (see permutation.ts). The constants add a fixed amount to g and f, which this code
 *   computes by the permutation's own recurrence without w. The amount affects the data only
 *   through z = 2(g − w);
 * - three constants for the first full round after the partial rounds. These constants add the
 *   remaining amounts of g and f;
 * - three constants for each of the last three rounds, and the constants of round 0, which the
 *   state contains when the next permutation begins.
 */
export function constantsInOrder(): readonly bigint[] {
  const firstPartial = FULL_ROUNDS;
  const firstFull = FULL_ROUNDS + PARTIAL_ROUNDS;

  let [x, y, z] = roundConstants(firstPartial);
  let [g, f] = [(x + y) * HALF, (x - y) * QUARTER];
  const partial = [z];
  for (const round of rounds(firstPartial + 1, firstFull)) {
    [x, y, z] = roundConstants(round);
    partial.push(2n * g + z);
    [g, f] = [canonical(2n * g + 4n * f + (x + y) * HALF), canonical(g + (x - y) * QUARTER)];
  }
  [x, y, z] = roundConstants(firstFull);
  const leaving = [4n * g + 4n * f + x, 4n * f + y, 2n * g + z];

  return [
    ...rounds(1, firstPartial).flatMap(roundConstants),
    ...partial,
    ...leaving,
    ...rounds(firstFull + 1, firstFull + FULL_ROUNDS).flatMap(roundConstants),
    ...roundConstants(0),
  ].map(canonical);
}

function rounds(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
