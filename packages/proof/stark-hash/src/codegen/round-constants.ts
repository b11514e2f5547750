import { createHash } from 'node:crypto';
import { FIELD_PRIME } from '@sotto/kernel';
import { canonical } from '../field.js';

/** Number of full rounds of Starknet's Hades before the partial ones, and again after them. */
export const FULL_ROUNDS = 4;
export const PARTIAL_ROUNDS = 83;

type Triple = readonly [x: bigint, y: bigint, z: bigint];

/**
 * Returns the constants of one round as Starknet derives them: SHA-256 of "Hades" and a running
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
 * Returns all constants in the order in which the permutation adds them. The constants of each
 * round come right after the matrix product of the previous round:
 *
 * - three for each of the rounds 1 … 3;
 * - one for each partial round. There x and y are represented as g = (x + y)/2 and f = (x − y)/4
 *   (see permutation.ts). The contribution of the constants to g and f is known in advance. This
 *   code tracks it by the permutation's own recurrence without its w; it enters the data only
 *   in z = 2(g − w);
 * - three for the first full round after them, which add the remaining contribution to g and f;
 * - three for each of the last three rounds, and those of round 0, which the next permutation then
 *   finds in the state.
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
