import { LIMB_BITS } from '../field.js';
import { carry, multiply, settle, square, sum } from './arithmetic.js';
import { CONSTANT_BYTES, Code, constantAt, eachLimb, elementAt, type Limbs } from './code.js';
import { FULL_ROUNDS, PARTIAL_ROUNDS } from './round-constants.js';

/*
 * Starknet's Hades permutation of (x, y, z): four full rounds, 83 partial rounds, four full rounds.
 * A round first adds constants. A full round then cubes x, y and z, a partial round cubes only z.
 * Finally the round multiplies by the matrix
 *
 * 3 1 1 1 −1 1 1 1 −2
 *
 * Here a round's constants are added together with the matrix product of the previous round. The
 * constants of round 0 are added at the end: between two permutations the state already contains
 * them. The constants are in memory in the order of their use, and `constants` points to the next
 * constant.
 *
 * During the partial rounds, x and y influence z only through their sum. With g = (x + y)/2, f = (x
 * − y)/4 and w = z³ a round is
 *
 * g' = ((3x + y + w) + (x − y + w))/2 = 2x + w = 2g + 4f + w f' = ((3x + y + w) − (x − y + w))/4 =
 * (x + y)/2 = g z' = x + y − 2w = 2(g − w)
 *
 * So one row is computed instead of three, and f is the g of the previous round. The code never
 * divides by 2. The last full round computes x = 3X + Y + Z and y = X − Y + Z from its cubes X, Y,
 * Z. So g = 2X + Z and 2f = X + Y, the inputs of the first partial round. The last partial round
 * ends with x' = g' + 2f' = 4g + 4f + w and y' = g' − 2f' = 4f + w.
 *
 * Limits: x, y, z are in [−6.4p, 6.4p] (three times a cube, twice another cube, a constant). Cubes
 * are in (−1.01p, 0.01p), because the square is in (−1.001p, 0.05p) and its product with an element
 * is below 0.01·p·R. In the partial rounds z is in (−0.03p, 3.03p). `multiply` allows 8p.
 */

/** Names of the variables that contain z in the partial rounds, where only z is cubed. */
const z = eachLimb((index) => `z${index}`);

function cube(code: Code, a: Limbs): Limbs {
  return multiply(code, square(code, a), a);
}

function cubeInPlace(): string {
  const code = new Code();
  code.store('element', cube(code, code.defineAll(elementAt('element'))));
  return code.toText();
}

/**
 * Multiplies the cubes X, Y, Z by the matrix. With sum = X + Y + Z: x' = sum + 2X, y' = sum − 2Y,
 * z' = sum − 3Z.
 */
function fullRoundFromCubes(): string {
  const code = new Code();
  const [x, y, cz] = ['X', 'Y', 'Z'].map((pointer) => code.defineAll(elementAt(pointer)));
  if (x === undefined || y === undefined || cz === undefined)
    throw new RangeError('the state has three elements');
  const all = code.defineAll(sum([1, x], [1, y], [1, cz]));
  code.store('X', carry(code, sum([1, all], [2, x], [1, constantAt('constants', 0)])));
  code.store('Y', carry(code, sum([1, all], [-2, y], [1, constantAt('constants', 1)])));
  code.store('Z', carry(code, sum([1, all], [-3, cz], [1, constantAt('constants', 2)])));
  return code.toText();
}

/**
 * Computes two matrix products together: the product of the last full round and the product of the
 * first partial round, both from the full round's cubes.
 */
function enterPartialRounds(): string {
  const code = new Code();
  const [x, y, cz] = [elementAt('X'), elementAt('Y'), elementAt('Z')];
  const g = code.defineAll(sum([2, x], [1, cz]));
  const twiceF = code.defineAll(sum([1, x], [1, y]));
  const entered = carry(code, sum([1, twiceF], [-2, cz], [1, constantAt('constants', 0)]));
  const w = cube(code, entered);
  code.store('F', g);
  code.store('G', sum([2, g], [2, twiceF], [1, w]));
  code.assign(z, settle(code, sum([2, g], [1, constantAt('constants', 1)]), sum([-2, w])));
  return code.toText();
}

/** Computes a partial round. Stores g' in f; the caller swaps the names of g and f. */
function partialRound(): string {
  const code = new Code();
  const [g, f] = [elementAt('g'), elementAt('f')];
  const w = cube(code, z);
  code.store('f', sum([2, sum([1, g], [2, f])], [1, w]));
  code.assign(z, settle(code, sum([2, g], [1, constantAt('constants')]), sum([-2, w])));
  return code.toText();
}

function leavePartialRounds(): string {
  const code = new Code();
  const [g, f] = [elementAt('g'), elementAt('f')];
  const w = cube(code, z);
  code.store('X', settle(code, sum([4, g], [4, f], [1, constantAt('constants', 0)]), w));
  code.store('Y', settle(code, sum([4, f], [1, constantAt('constants', 1)]), w));
  code.store('Z', settle(code, sum([2, g], [1, constantAt('constants', 2)]), sum([-2, w])));
  return code.toText();
}

function settleInPlace(pointer: string): string {
  const code = new Code();
  code.store(pointer, settle(code, code.defineAll(elementAt(pointer))));
  return code.toText();
}

/**
 * Maximum size of the limbs of g and f, which are carried only after several rounds. `settle`
 * accepts limbs of twice this size.
 */
const LARGEST_LIMB = 2 ** 56;

/**
 * Returns the number of partial rounds that can run without a carry. The computation applies the
 * recurrence of g to the largest limbs, which are 11·2^29 for g and 3·2^29 for f at the start.
 */
export function roundsBetweenCarries(): number {
  const limb = 2 ** LIMB_BITS;
  let count = 0;
  for (let [g, f] = [11 * limb, 3 * limb]; 2 * g + 4 * f + limb < LARGEST_LIMB; count += 1)
    [g, f] = [2 * g + 4 * f + limb, g];
  return count;
}

const skip = (constants: number): string => `constants += ${CONSTANT_BYTES * constants};`;

/**
 * Returns the AssemblyScript functions that permute the state at X, Y, Z. The functions also use
 * the memory at G, F and CONSTANTS.
 */
export function permutation(): string {
  return `
function cube(element: usize): void ${cubeInPlace()}

function fullRound(constants: usize): void {
  cube(X);
  cube(Y);
  cube(Z);
  ${fullRoundFromCubes()}
}

/** Begins with the last full round's cubes and ends before the next one's. */
function partialRounds(start: usize): void {
  let ${z.map((limb) => `${limb}: i64`).join(', ')};
  let constants = start, g = G, f = F;
  cube(X);
  cube(Y);
  cube(Z);
  ${enterPartialRounds()}
  ${skip(2)}
  const end = constants + ${CONSTANT_BYTES * (PARTIAL_ROUNDS - 2)};
  while (constants < end) {
    const pause = min<usize>(constants + ${CONSTANT_BYTES * roundsBetweenCarries()}, end);
    do {
      ${partialRound()}
      const next = f;
      f = g;
      g = next;
      ${skip(1)}
    } while (constants < pause);
    ${settleInPlace('g')}
    ${settleInPlace('f')}
  }
  ${leavePartialRounds()}
}

function permute(): void {
  let constants = CONSTANTS;
  for (let round = 0; round < ${FULL_ROUNDS - 1}; round++) {
    fullRound(constants);
    ${skip(3)}
  }
  partialRounds(constants);
  ${skip(PARTIAL_ROUNDS + 3)}
  for (let round = 0; round < ${FULL_ROUNDS}; round++) {
    fullRound(constants);
    ${skip(3)}
  }
}`;
}
