// Constants of circomlib's Poseidon over BN254's scalar field with two inputs (t = 3, x^5, 8 full
// and 57 partial rounds), derived from the Grain LFSR of the Poseidon paper. This file also derives
// the linear recurrence of the partial rounds.

/** @typedef {readonly bigint[]} Vector */
/** @typedef {readonly Vector[]} Matrix */

export const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const FIELD_BITS = 254;
const WIDTH = 3;
const FULL_ROUNDS = 8;
const PARTIAL_ROUNDS = 57;

const mod = (/** @type {bigint} */ value) => ((value % R) + R) % R;
const dot = (/** @type {Vector} */ a, /** @type {Vector} */ b) =>
  mod(a.reduce((sum, item, index) => sum + item * at(b, index), 0n));
const times = (/** @type {Matrix} */ matrix, /** @type {Vector} */ vector) =>
  matrix.map((row) => dot(row, vector));
const transposed = (/** @type {Matrix} */ matrix) =>
  at(matrix, 0).map((_, column) => matrix.map((row) => at(row, column)));
const product = (/** @type {Matrix} */ a, /** @type {Matrix} */ b) =>
  a.map((row) => times(transposed(b), row));

/**
 * @template T
 * @param {readonly T[]} items
 * @param {number} index
 */
function at(items, index) {
  const item = items[index];
  if (item === undefined) throw new RangeError(`nothing at ${index}`);
  return item;
}

/**
 * Returns the inverse by Fermat's little theorem.
 * @param {bigint} value
 * @param {bigint} prime
 */
export function inverseModulo(value, prime) {
  let result = 1n;
  for (
    let square = value % prime, left = prime - 2n;
    left > 0n;
    left >>= 1n, square = (square * square) % prime
  ) {
    if (left & 1n) result = (result * square) % prime;
  }
  return result;
}

const inverse = (/** @type {bigint} */ value) => inverseModulo(mod(value), R);

/**
 * Generates bits as in the paper, by an 80-bit LFSR whose initial state encodes the parameters.
 * Output bits are selected in pairs.
 */
function* grain() {
  const parameters = [
    [1, 2], // a prime field
    [0, 4], // x^5
    [FIELD_BITS, 12],
    [WIDTH, 12],
    [FULL_ROUNDS, 10],
    [PARTIAL_ROUNDS, 10],
    [2 ** 30 - 1, 30],
  ];
  let state = parameters.flatMap(([value = 0, width = 0]) =>
    Array.from({ length: width }, (_, index) => Math.floor(value / 2 ** (width - 1 - index)) % 2),
  );
  const next = () => {
    const bit = [62, 51, 38, 23, 13, 0].reduce((sum, index) => sum ^ at(state, index), 0);
    state = [...state.slice(1), bit];
    return bit;
  };
  for (let warmUp = 0; warmUp < 160; warmUp += 1) next();
  for (;;) {
    const isPicked = next() === 1;
    const bit = next();
    if (isPicked) yield bit;
  }
}

const list = (/** @type {number} */ length, /** @type {() => bigint} */ make) =>
  Array.from({ length }, make);

/**
 * @returns {{ readonly constants: Matrix, readonly mds: Matrix }} the round constants and the MDS
 * matrix
 */
function poseidonParameters() {
  const bits = grain();
  const number = () => {
    let value = 0n;
    for (let bit = 0; bit < FIELD_BITS; bit += 1)
      value = value * 2n + BigInt(bits.next().value ?? 0);
    return value;
  };
  const element = () => {
    for (;;) {
      const value = number();
      if (value < R) return value;
    }
  };
  const additions = Array.from({ length: FULL_ROUNDS + PARTIAL_ROUNDS }, () =>
    list(WIDTH, element),
  );
  // The matrix is a Cauchy matrix. Its random numbers are reduced modulo r. For the round
  // constants, in contrast, a number that is too large is discarded and drawn again.
  const xs = list(WIDTH, () => mod(number()));
  const ys = list(WIDTH, () => mod(number()));
  return { constants: additions, mds: xs.map((x) => ys.map((y) => inverse(x + y))) };
}

const { constants, mds } = poseidonParameters();

const pow5 = (/** @type {bigint} */ value) => mod(value ** 5n);

/**
 * Computes the hash round by round, as in the paper.
 * @param {bigint} left
 * @param {bigint} right
 */
export function poseidon2(left, right) {
  let state = [0n, left, right];
  for (const [round, additions] of constants.entries()) {
    const isFull = round < FULL_ROUNDS / 2 || round >= FULL_ROUNDS / 2 + PARTIAL_ROUNDS;
    const raised = state
      .map((element, index) => element + at(additions, index))
      .map((sum, index) => (isFull || index === 0 ? pow5(sum) : sum));
    state = times(mds, raised);
  }
  return at(state, 0);
}

/**
 * Constants of the permutation with few multiplications. A partial round applies x^5 only to the
 * first element, and the other two elements are linear in earlier values. So, by the
 * Cayley–Hamilton theorem, the inputs s of x^5, with u = s^5, follow a recurrence with the same
 * five factors in every round:
 *
 * s[i+3] = recurrence · (u[i+2], u[i+1], u[i], s[i+2], s[i+1]) + additions[i]
 *
 * @typedef {object} Schedule
 * @property {Matrix} firstAdditions constants added before x^5 in the first half of the full rounds
 * @property {Matrix} mds matrix between full rounds
 * @property {Matrix} entry output of the last full round of the first half: s[0], and the terms of
 *   s[1] and s[2] that depend on earlier values
 * @property {Vector} entryAdditions constants added to these three values
 * @property {Vector} start factors of u[0] in s[1], and of u[1] and u[0] in s[2]
 * @property {Vector} recurrence the five factors of the recurrence
 * @property {Vector} additions constants added in s[3] to s[57]
 * @property {Matrix} exit factors of (u[55], u[56], s[56], s[57]) in the second and third element;
 *   the first element is s[57]
 * @property {Vector} exitAdditions constants added to these two elements, including those of the
 *   next full round
 * @property {Matrix} lastAdditions constants added before x^5 in the other full rounds of the
 *   second half
 */

/** @returns {Schedule} */
export function poseidonSchedule() {
  const half = FULL_ROUNDS / 2;
  // The matrix in blocks is [[first, v], [w, rest]]. If r is the vector of the two linear elements,
  // then s' = first·u + v·r and r' = w·u + rest·r.
  const first = at(at(mds, 0), 0);
  const v = at(mds, 0).slice(1);
  const w = mds.slice(1).map((row) => at(row, 0));
  const rest = mds.slice(1).map((row) => row.slice(1));
  const [a = 0n, b = 0n, c = 0n, d = 0n] = rest.flat();
  const trace = mod(a + d);
  const determinant = mod(a * d - b * c);
  const vRest = times(transposed(rest), v);

  // A constant that is added to the two linear elements affects s only from the next round.
  const partial = constants.slice(half, half + PARTIAL_ROUNDS + 1);
  const shifts = [0n];
  let pending = [0n, 0n];
  for (const [round, next] of partial.slice(1).entries()) {
    const added = at(partial, round)
      .slice(1)
      .map((constant, index) => mod(constant + at(pending, index)));
    shifts.push(mod(dot(v, added) + at(next, 0)));
    pending = times(rest, added);
  }
  const additions = shifts
    .slice(3)
    .map((shift, index) =>
      mod(shift - trace * at(shifts, index + 2) + determinant * at(shifts, index + 1)),
    );

  // The outputs determine r: they contain y = v·r in the next round, and v·rest·r in the round
  // after that, plus a multiple of w·u.
  const ofRest = [v, vRest];
  const entry = [at(mds, 0), ...product(ofRest, mds.slice(1))];
  const vw = dot(v, w);
  const beta = mod(dot(vRest, w) - trace * vw + determinant * first);

  // The linear elements before the last two rounds follow from these values: y[55] = s[56] -
  // first·u[55] - shift, and y[56] is computed in the same manner.
  const [e = 0n, f = 0n, g = 0n, h = 0n] = ofRest.flat();
  const scale = inverse(e * h - f * g);
  const back = [[h, -f].map((x) => mod(x * scale)), [-g, e].map((x) => mod(x * scale))];
  const twice = product(rest, rest);
  const fromShown = product(twice, back);
  const last = at(partial, PARTIAL_ROUNDS).slice(1);
  const exit = fromShown.map((row, index) => {
    const [of55 = 0n, of56 = 0n] = row;
    return [
      mod(dot(at(rest, index), w) - of55 * first - of56 * vw),
      mod(at(w, index) - of56 * first),
      of55,
      of56,
    ];
  });
  const exitAdditions = fromShown.map(([of55 = 0n, of56 = 0n], index) =>
    mod(at(last, index) + at(pending, index) - of55 * at(shifts, 56) - of56 * at(shifts, 57)),
  );

  return {
    firstAdditions: constants.slice(0, half),
    mds,
    entry,
    entryAdditions: [at(at(partial, 0), 0), at(shifts, 1), at(shifts, 2)],
    start: [first, first, vw],
    recurrence: [first, mod(vw - trace * first), beta, trace, mod(-determinant)],
    additions,
    exit,
    exitAdditions,
    lastAdditions: constants.slice(half + PARTIAL_ROUNDS + 1),
  };
}
