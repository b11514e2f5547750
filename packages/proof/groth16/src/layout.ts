import { domainError, Felts, u256FromHalves } from '@sotto/kernel';

/**
 * Parameter t that defines the curve BN254 (alt_bn128). The field's prime and the group order are
 * polynomials in t.
 */
export const BN_PARAMETER = 4965661367192848881n;

/** Prime p of the field of the coordinates: 36t⁴ + 36t³ + 24t² + 6t + 1. */
export const BASE_FIELD =
  36n * BN_PARAMETER ** 4n +
  36n * BN_PARAMETER ** 3n +
  24n * BN_PARAMETER ** 2n +
  6n * BN_PARAMETER +
  1n;

/**
 * Prime r, the order of both groups and of the field of the public inputs: 36t⁴ + 36t³ + 18t² + 6t
 * + 1.
 */
export const SCALAR_FIELD_ORDER =
  36n * BN_PARAMETER ** 4n +
  36n * BN_PARAMETER ** 3n +
  18n * BN_PARAMETER ** 2n +
  6n * BN_PARAMETER +
  1n;

/**
 * Affine point as contained in the calldata. Coordinates are below 2^384 and have not been checked
 * against the field or the curve.
 */
export interface G1Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** Affine point with coordinates in Fp2, each written as c0 + c1·u. */
export interface G2Point {
  readonly x: readonly [c0: bigint, c1: bigint];
  readonly y: readonly [c0: bigint, c1: bigint];
}

export interface Groth16Proof {
  readonly a: G1Point;
  readonly b: G2Point;
  readonly c: G1Point;
  /**
   * Public inputs, each below 2^256. The reader does not compare them with r; the caller or the
   * pairing check must do this.
   */
  readonly publicInputs: readonly bigint[];
}

/** Proof calldata in its normal form: with the leading length felt. */
export interface ProofCalldata {
  readonly felts: Felts;
  readonly proof: Groth16Proof;
}

/**
 * The felts do not have the layout of a proof. `details.reason` is one of `total_length`,
 * `length_felt`, `count`, `limb`, `half`. `details.index` is the index of the felt in calldata that
 * includes the length felt.
 */
export class ProofLayoutInvalid extends domainError('PROOF_LAYOUT_INVALID') {}

export interface ProofLayoutOptions {
  /** @default 7: root, nullifierHash, recipient, relayer, fee, batchStart, batchSize. */
  readonly publicInputCount?: number;
}

const WITHDRAWAL_PUBLIC_INPUTS = 7;

/** Number of felts for the length of the calldata that follows. */
const LENGTH_FELTS = 1;
/** Limbs of a coordinate of a point (Cairo's u384): 96 bits each, lowest limb first. */
const U384_LIMBS = 4;
/**
 * Limbs of a coordinate in the extension field (Garaga's u288): 96 bits each, lowest limb first.
 */
const U288_LIMBS = 3;
/** A.x, A.y, B.x0, B.x1, B.y0, B.y1, C.x, C.y: 8 × 4 = 32. */
const POINT_FELTS = 8 * U384_LIMBS;
/** Felts of a u256: the low half, then the high half. */
const U256_FELTS = 2;
/**
 * Felts of the pairing's residue witness: lambda root and its inverse with 12 coordinates each, and
 * the scaling factor w with 6 coordinates. These are 30 × 3 = 90 felts.
 */
const WITNESS_FELTS = (12 + 12 + 6) * U288_LIMBS;
/** Number of remainders of the Miller loop. Each is a field element of 12 coordinates. */
const REMAINDERS = 34;
/** 34 × 12 × 3 = 1,224. */
const REMAINDER_FELTS = REMAINDERS * 12 * U288_LIMBS;
/** Number of coefficients of the big quotient Q. Each is one coordinate. */
const QUOTIENT_COEFFICIENTS = 190;
/** 190 × 3 = 570. */
const QUOTIENT_FELTS = QUOTIENT_COEFFICIENTS * U288_LIMBS;
/** Felts of the evaluation point z, which may be any felt. */
const CHALLENGE_FELTS = 1;
/**
 * Felts of the point Q in the multi-scalar hint of one public input: two coordinates of 4 limbs.
 */
const HINT_POINT_FELTS = 2 * U384_LIMBS;
/**
 * Felts of the four short scalars in the hint of one public input. Each has a sign flag at bit 128,
 * which only the verifier contract interprets.
 */
const HINT_SCALAR_FELTS = 4;
/** Felts of the hint of one public input: 12. */
const HINT_FELTS = HINT_POINT_FELTS + HINT_SCALAR_FELTS;
/**
 * Number of felts that contain a count: of public inputs, remainders, quotient coefficients and
 * hint felts.
 */
const COUNT_FELTS = 4;

/**
 * Felts that do not depend on the number of inputs: 1 + 32 + 90 + 1,224 + 570 + 1 + 4 = 1,922. Each
 * public input adds 2 + 12 = 14 felts.
 */
const FIXED_FELTS =
  LENGTH_FELTS +
  POINT_FELTS +
  WITNESS_FELTS +
  REMAINDER_FELTS +
  QUOTIENT_FELTS +
  CHALLENGE_FELTS +
  COUNT_FELTS;
const FELTS_PER_INPUT = U256_FELTS + HINT_FELTS;

/**
 * Reads Groth16 proof calldata as Garaga serialises it for BN254, with or without its leading
 * length felt.
 *
 * Checks only the layout of the felts. Coordinates may lie outside the field or off the curve, and
 * public inputs may be ≥ r; the pairing check rejects such proofs. Only the verifier contract
 * checks the hints.
 * @throws ProofLayoutInvalid with the index of the first felt that violates the layout, never with
 *   its value
 */
export function readProofCalldata(
  felts: Felts,
  { publicInputCount = WITHDRAWAL_PUBLIC_INPUTS }: ProofLayoutOptions = {},
): ProofCalldata {
  const normal = withLengthFelt(felts, FIXED_FELTS + FELTS_PER_INPUT * publicInputCount);
  const read = new LayoutReader(normal);

  const a = read.g1();
  const b = read.g2();
  const c = read.g1();
  read.count(publicInputCount);
  const publicInputs = Array.from({ length: publicInputCount }, () => read.u256());

  read.limbs(WITNESS_FELTS);
  read.count(REMAINDERS);
  read.limbs(REMAINDER_FELTS);
  read.count(QUOTIENT_COEFFICIENTS);
  read.limbs(QUOTIENT_FELTS);
  read.skip(CHALLENGE_FELTS);
  read.count(HINT_FELTS * publicInputCount);
  for (let input = 0; input < publicInputCount; input += 1) {
    read.limbs(HINT_POINT_FELTS);
    read.skip(HINT_SCALAR_FELTS);
  }
  return { felts: normal, proof: { a, b, c, publicInputs } };
}

/**
 * Adds the length felt if it is missing. The number of inputs determines the total length, so the
 * length alone distinguishes both forms. A comparison of the first felt with the remaining length
 * would be wrong if the length felt is missing and A.x begins with that number by chance.
 */
function withLengthFelt(felts: Felts, total: number): Felts {
  const rest = total - LENGTH_FELTS;
  if (felts.length === rest)
    return Felts.fromBytes(Buffer.concat([Felts.of([BigInt(rest)]).toBytes(), felts.toBytes()]));
  if (felts.length !== total) {
    throw new ProofLayoutInvalid({
      message: 'proof calldata has the wrong length',
      details: { reason: 'total_length', length: felts.length, expected: total },
    });
  }
  if (felts.at(0) !== BigInt(rest)) {
    throw new ProofLayoutInvalid({
      message: 'the first felt of the proof calldata is not the length of the rest',
      details: { reason: 'length_felt', index: 0 },
    });
  }
  return felts;
}

const WORD_BYTES = 32;
/** Number of leading zero bytes of a value below 2^96 in a 32-byte word. */
const LIMB_ZERO_BYTES = WORD_BYTES - 96 / 8;
/** Number of leading zero bytes of a value below 2^128 in a 32-byte word. */
const HALF_ZERO_BYTES = WORD_BYTES - 128 / 8;
const LIMB_BITS = 96n;

/** Reads the felts after the length felt, and checks that each felt is below its maximum. */
class LayoutReader {
  #index = LENGTH_FELTS;
  // Compare bytes: converting two thousand felts to bigints would be seven times as slow.
  readonly #bytes: Uint8Array;

  constructor(private readonly felts: Felts) {
    this.#bytes = felts.toBytes();
  }

  g1(): G1Point {
    return { x: this.#u384(), y: this.#u384() };
  }

  g2(): G2Point {
    return { x: [this.#u384(), this.#u384()], y: [this.#u384(), this.#u384()] };
  }

  u256(): bigint {
    return u256FromHalves(this.#half(), this.#half());
  }

  limbs(count: number): void {
    for (let limb = 0; limb < count; limb += 1) this.#bounded(LIMB_ZERO_BYTES, 'limb');
  }

  count(expected: number): void {
    const index = this.#index;
    this.skip(1);
    if (this.felts.at(index) !== BigInt(expected)) {
      throw new ProofLayoutInvalid({
        message: 'proof calldata announces another number of elements than its layout has',
        details: { reason: 'count', index, expected },
      });
    }
  }

  skip(count: number): void {
    this.#index += count;
  }

  #u384(): bigint {
    const start = this.#index;
    this.limbs(U384_LIMBS);
    let value = 0n;
    for (let index = this.#index - 1; index >= start; index -= 1)
      value = (value << LIMB_BITS) + this.felts.at(index);
    return value;
  }

  #half(): bigint {
    return this.felts.at(this.#bounded(HALF_ZERO_BYTES, 'half'));
  }

  /** Skips one felt and returns its index. */
  #bounded(zeroBytes: number, reason: 'limb' | 'half'): number {
    const index = this.#index;
    this.skip(1);
    const start = index * WORD_BYTES;
    for (let offset = start; offset < start + zeroBytes; offset += 1) {
      if (this.#bytes[offset] !== 0) {
        throw new ProofLayoutInvalid({
          message: `a ${reason} in the proof calldata is too large`,
          details: { reason, index },
        });
      }
    }
    return index;
  }
}
