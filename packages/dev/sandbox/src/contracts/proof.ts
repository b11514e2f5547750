/** Public inputs of the withdrawal circuit, in the verifier's order. Each input is below 2^256. */
export type PublicInputs = readonly [
  root: bigint,
  nullifierHash: bigint,
  recipient: bigint,
  relayer: bigint,
  fee: bigint,
  batchStart: bigint,
  batchSize: bigint,
];

/** Affine coordinates of a point of G1, which are not checked yet. */
export interface G1Coordinates {
  readonly x: bigint;
  readonly y: bigint;
}

/** Affine coordinates of a point of G2, each as c0 + c1·u, which are not checked yet. */
export interface G2Coordinates {
  readonly x: readonly [c0: bigint, c1: bigint];
  readonly y: readonly [c0: bigint, c1: bigint];
}

/** Groth16 proof that was decoded from Garaga's calldata. */
export interface DecodedProof {
  readonly a: G1Coordinates;
  readonly b: G2Coordinates;
  readonly c: G1Coordinates;
  readonly publicInputs: PublicInputs;
}

const INPUTS = 7;
const LIMB_BITS = 96n;
const LIMB_BOUND = 1n << LIMB_BITS;
const HALF_BITS = 128n;
const HALF_BOUND = 1n << HALF_BITS;

/**
 * Positions in Garaga's calldata for BN254, without the leading length felt. Coordinates and hints
 * are integers of 96-bit limbs, lowest limb first. A coordinate has four limbs, and a field element
 * in the hints has three.
 */
const INPUT_COUNT_AT = 32;
const INPUTS_AT = INPUT_COUNT_AT + 1;
/**
 * Position after the hint's lambda root and its inverse (36 limbs each) and the scaling factor (18
 * limbs).
 */
const LAMBDA_AT = INPUTS_AT + 2 * INPUTS;
const LINES_AT = LAMBDA_AT + 36 + 36 + 18;
const LINES = { count: 34n, felts: 34 * 36 };
const BIG_Q_AT = LINES_AT + 1 + LINES.felts;
const BIG_Q = { count: 190n, felts: 190 * 3 };
/**
 * Position of the hint for the multi-scalar multiplication. The challenge z (one felt) is located
 * between big Q and this hint.
 */
const MSM_HINT_AT = BIG_Q_AT + 1 + BIG_Q.felts + 1;
const MSM_HINT_FELTS = 12 * INPUTS;
const LENGTH = MSM_HINT_AT + 1 + MSM_HINT_FELTS;

/**
 * Decodes the points and public inputs of a withdrawal's `proof_with_hints` (without its length
 * felt). Returns undefined if the layout is wrong.
 *
 * Of the hints, only length, counts and limb ranges are checked. Hints make the pairing cheaper for
 * the real contract, while the sandbox computes the pairing without them. So a proof with
 * well-formed but wrong hints is accepted here and would fail on a real node.
 */
export function decodeProof(felts: readonly bigint[]): DecodedProof | undefined {
  if (felts.length !== LENGTH) return undefined;
  const at = (index: number): bigint => felts[index] ?? 0n;
  const counts: readonly (readonly [index: number, expected: bigint])[] = [
    [INPUT_COUNT_AT, BigInt(INPUTS)],
    [LINES_AT, LINES.count],
    [BIG_Q_AT, BIG_Q.count],
    [MSM_HINT_AT, BigInt(MSM_HINT_FELTS)],
  ];
  if (counts.some(([index, expected]) => at(index) !== expected)) return undefined;
  const limbs = [...felts.slice(0, INPUT_COUNT_AT), ...felts.slice(LAMBDA_AT, MSM_HINT_AT - 1)];
  if (limbs.some((limb) => limb >= LIMB_BOUND)) return undefined;
  if (felts.slice(INPUTS_AT, LAMBDA_AT).some((half) => half >= HALF_BOUND)) return undefined;

  const coordinate = (index: number): bigint =>
    at(4 * index) +
    (at(4 * index + 1) << LIMB_BITS) +
    (at(4 * index + 2) << (2n * LIMB_BITS)) +
    (at(4 * index + 3) << (3n * LIMB_BITS));
  const input = (index: number): bigint =>
    at(INPUTS_AT + 2 * index) + (at(INPUTS_AT + 2 * index + 1) << HALF_BITS);
  return {
    a: { x: coordinate(0), y: coordinate(1) },
    b: { x: [coordinate(2), coordinate(3)], y: [coordinate(4), coordinate(5)] },
    c: { x: coordinate(6), y: coordinate(7) },
    publicInputs: [input(0), input(1), input(2), input(3), input(4), input(5), input(6)],
  };
}
