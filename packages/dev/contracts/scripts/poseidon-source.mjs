import { R, inverseModulo, poseidon2, poseidonSchedule } from './poseidon-constants.mjs';

/**
 * Starknet's prime p. The Montgomery arithmetic of `bn254_arithmetic.cairo` uses p as its radix.
 */
const P = 2n ** 251n + 17n * 2n ** 192n + 1n;
/** Number of levels of a pool's tree above its leaves. */
const TREE_DEPTH = 10;
const LIMB_BITS = 64n;
const LIMBS = [0n, 1n, 2n, 3n];

/** @typedef {import('./poseidon-constants.mjs').Vector} Vector */
/** @typedef {import('./poseidon-constants.mjs').Matrix} Matrix */

const HEADER = '// Written by scripts/write-poseidon.mjs, where the names are explained.\n';

/** Converts a factor to Montgomery form. */
const factor = (/** @type {bigint} */ value) => (value * P) % R;
/**
 * Converts a summand to the form that it needs in a sum of products, because this sum is divided by
 * p afterwards.
 */
const addend = (/** @type {bigint} */ value) => (value * P * P) % R;

const limbsOf = (/** @type {bigint} */ value) =>
  LIMBS.map((index) => BigInt.asUintN(64, value >> (index * LIMB_BITS)));
const literal = (/** @type {bigint} */ value) => `0x${value.toString(16)}`;
const felt = (/** @type {string} */ name, /** @type {bigint} */ value) =>
  `const ${name}: felt252 = ${literal(value)};\n`;
const felts = (/** @type {string} */ name, /** @type {bigint} */ value) =>
  limbsOf(value)
    .map((limb, index) => felt(`${name}_${index}`, limb))
    .join('');

const struct = (/** @type {bigint} */ value) => {
  const fields = limbsOf(value).map((limb, index) => `limb${index}: ${literal(limb)}`);
  return `Element { ${fields.join(', ')} }`;
};

/**
 * Renders a struct constant, which must be a function in Cairo 2.1. When the function is inlined,
 * its limbs become immediates of instructions.
 */
const element = (/** @type {string} */ name, /** @type {bigint} */ value) =>
  `\n#[inline(always)]\nfn ${name}() -> Element {\n    ${struct(value)}\n}\n`;
const vector = (/** @type {string} */ name, /** @type {Vector} */ values) =>
  values.map((value, index) => element(`${name}_${index}`, value)).join('');
const matrix = (/** @type {string} */ name, /** @type {Matrix} */ rows) =>
  rows.map((row, index) => vector(`${name}_${index}`, row)).join('');

const list = (
  /** @type {string} */ name,
  /** @type {string} */ type,
  /** @type {readonly string[]} */ items,
) =>
  `\nfn ${name}() -> Array<${type}> {\n    array![\n${items.map((item) => `        ${item},\n`).join('')}    ]\n}\n`;
const elements = (/** @type {string} */ name, /** @type {Vector} */ values) =>
  list(name, 'Element', values.map(struct));

const mapped = (/** @type {Matrix} */ rows, /** @type {(value: bigint) => bigint} */ change) =>
  rows.map((row) => row.map(change));

/** @returns {string} the Cairo module of the constants of `bn254_arithmetic.cairo` */
function arithmeticConstantsSource() {
  return [
    HEADER,
    '\n// Limbs of r, and of 2^256, 2^320 and 2^384 modulo r.\n',
    felts('R', R),
    ...[4n, 5n, 6n].map((column) => felts(`SHIFT_${column}`, 2n ** (column * LIMB_BITS) % R)),
    '\n// Modulo p.\n',
    felt('MINUS_INVERSE_OF_R', P - inverseModulo(R, P)),
    felt('INVERSE_OF_SHIFT', inverseModulo(2n ** LIMB_BITS, P)),
  ].join('');
}

/** @returns {string} the Cairo module of the constants of `poseidon_bn254.cairo` */
function poseidonConstantsSource() {
  const schedule = poseidonSchedule();
  const [[first0 = 0n, ...first] = [], ...otherFirst] = schedule.firstAdditions;
  return [
    HEADER,
    'use array::ArrayTrait;\nuse sotto::bn254_arithmetic::Element;\n',
    element('input', addend(1n)),
    element('first', factor(first0)),
    matrix('mds', mapped(schedule.mds, factor)),
    // With factors that are not in Montgomery form, the result is a plain number and not a number
    // in Montgomery form.
    vector('output', schedule.mds[0] ?? []),
    matrix('entry', mapped(schedule.entry, factor)),
    vector('entry_addition', schedule.entryAdditions.map(addend)),
    vector('start', schedule.start.map(factor)),
    vector('recurrence', schedule.recurrence.map(factor)),
    matrix('exit', mapped(schedule.exit, factor)),
    vector('exit_addition', schedule.exitAdditions.map(addend)),
    elements('first_additions', [...first, ...otherFirst.flat()].map(addend)),
    elements('partial_additions', schedule.additions.map(addend)),
    elements('last_additions', schedule.lastAdditions.flat().map(addend)),
  ].join('');
}

/**
 * @returns {string} the Cairo module of the roots of empty subtrees, from the empty leaf to the
 *   empty tree
 */
function emptySubtreesSource() {
  const roots = [0n];
  for (let root = 0n; roots.length <= TREE_DEPTH; roots.push(root)) root = poseidon2(root, root);
  return [
    HEADER,
    'use array::ArrayTrait;\n',
    list('empty_subtrees', 'u256', roots.map(literal)),
  ].join('');
}

/** Returns all generated Cairo modules, by name. */
export const generatedModules = () => ({
  bn254_constants: arithmeticConstantsSource(),
  poseidon_constants: poseidonConstantsSource(),
  empty_subtrees: emptySubtreesSource(),
});
