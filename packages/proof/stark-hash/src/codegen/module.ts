import { FIELD_PRIME } from '@sotto/kernel';
import { LIMB_BITS, limbsOf, toMontgomery } from '../field.js';
import { carry, multiply, sum } from './arithmetic.js';
import { CONSTANT_BYTES, Code, ELEMENT_BYTES, constantAt, eachLimb, elementAt } from './code.js';
import { permutation } from './permutation.js';
import { constantsInOrder } from './round-constants.js';

const FELT_BYTES = 32;
const WORD_BITS = 64;
/**
 * Maximum number of felts in one call of `absorb`. The number is even, and large enough for a whole
 * withdrawal.
 */
const CAPACITY = 2_048;

/**
 * Returns the AssemblyScript of the sponge, whose state has three elements. Felts are added in
 * pairs to the first two elements, and a permutation follows each pair.
 *
 * To hash, call `reset`. Then write at most `capacity` felts at a time to `inputPointer`, as
 * 32-byte big-endian words, and call `absorb`. `absorb` returns false if any felt since the reset
 * was not below p. The hash is the first element at `statePointer`, in Montgomery form, minus the
 * first round constant.
 */
export function moduleSource(): string {
  const constants = constantsInOrder();
  return `
const X: usize = memory.data(${3 * ELEMENT_BYTES}, 8);
const Y: usize = X + ${ELEMENT_BYTES};
const Z: usize = Y + ${ELEMENT_BYTES};
const G: usize = memory.data(${2 * ELEMENT_BYTES}, 8);
const F: usize = G + ${ELEMENT_BYTES};
const CONSTANTS: usize = memory.data<i32>([${constantLimbs(constants)}]);
const ROUND_0: usize = CONSTANTS + ${CONSTANT_BYTES * (constants.length - 3)};
const R: usize = memory.data<i32>([${constantLimbs([toMontgomery(1n)])}]);
const INPUT: usize = memory.data(${FELT_BYTES * CAPACITY}, 16);
let inRange: bool = true;

${permutation()}

/** element += the felt. */
function add(element: usize, felt: usize): void {
  const ${WORDS.map((word, index) => `${word} = bswap(load<u64>(felt, ${FELT_BYTES - 8 * (index + 1)}))`).join(', ')};
  if (${isAtLeastPrime()}) inRange = false;
  ${addFelt()}
}

export function reset(): void {
  ${enterRound0()}
  inRange = true;
}

export function absorb(pairs: i32): bool {
  for (let felt = INPUT, end = INPUT + ${2 * FELT_BYTES} * pairs; felt < end; felt += ${2 * FELT_BYTES}) {
    add(X, felt);
    add(Y, felt + ${FELT_BYTES});
    permute();
  }
  return inRange;
}

export function inputPointer(): usize { return INPUT; }
export function capacity(): i32 { return ${CAPACITY}; }
export function statePointer(): usize { return X; }
`;
}

function constantLimbs(values: readonly bigint[]): string {
  return values.flatMap((value) => limbsOf(toMontgomery(value))).join(', ');
}

/** Names of the 64-bit words of a felt, lowest word first. */
const WORDS = ['w0', 'w1', 'w2', 'w3'] as const;
const [W0, W1, W2, W3] = WORDS;

/**
 * Returns the expression that compares a felt with p. The lower three words of p are 1, 0 and 0.
 */
function isAtLeastPrime(): string {
  const top = `0x${(FIELD_PRIME >> BigInt(3 * WORD_BITS)).toString(16)}`;
  return `${W3} > ${top} || (${W3} == ${top} && (${W2} | ${W1} | ${W0}) != 0)`;
}

/**
 * Splits a felt into limbs, converts it to Montgomery form (felt·R²/R) and adds it to an element.
 */
function addFelt(): string {
  const code = new Code();
  const montgomery = multiply(
    code,
    code.defineAll(eachLimb(limbOfWords)),
    code.defineAll(constantAt('R')),
  );
  code.store('element', carry(code, sum([1, elementAt('element')], [1, montgomery])));
  return code.toText();
}

function limbOfWords(index: number): string {
  const firstBit = LIMB_BITS * index;
  const [word, shift] = [Math.floor(firstBit / WORD_BITS), firstBit % WORD_BITS];
  const [here, next] = [WORDS[word], WORDS[word + 1]];
  const straddles = next !== undefined && shift + LIMB_BITS > WORD_BITS;
  const bits = straddles
    ? `(${here} >> ${shift}) | (${next} << ${WORD_BITS - shift})`
    : `${here} >> ${shift}`;
  return `i64((${bits}) & ${2 ** LIMB_BITS - 1})`;
}

/** Sets the initial state: zeros plus the constants of round 0. */
function enterRound0(): string {
  const code = new Code();
  ['X', 'Y', 'Z'].forEach((pointer, index) => code.store(pointer, constantAt('ROUND_0', index)));
  return code.toText();
}
