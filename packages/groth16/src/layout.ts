import type { Felts } from '@sotto/kernel';

/** Affine points as the calldata carries them: coordinates below 2^384, not yet checked against the field or the curve. */
export interface G1Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** Coordinates of Fp2 as c0 + c1·u. */
export interface G2Point {
  readonly x: readonly [c0: bigint, c1: bigint];
  readonly y: readonly [c0: bigint, c1: bigint];
}

export interface Groth16Proof {
  readonly a: G1Point;
  readonly b: G2Point;
  readonly c: G1Point;
  /** Each below 2^256; whether below r is for the caller or the check to say. */
  readonly publicInputs: readonly bigint[];
}

/** Proof calldata in its one normal form: with the leading length felt. */
export interface ProofCalldata {
  readonly felts: Felts;
  readonly proof: Groth16Proof;
}
