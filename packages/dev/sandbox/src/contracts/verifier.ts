import { createHash } from 'node:crypto';
import { bn254 } from '@noble/curves/bn254.js';
import { z } from 'zod';
import type { ContractModel } from '../engine/contract.js';
import { remembered } from '../engine/remembered.js';
import { modelClassHash } from './calldata.js';
import type { DecodedProof, G1Coordinates, G2Coordinates } from './proof.js';

/**
 * Contract that pools store as their verifier. Only its address and class are used, because the
 * pools' models verify proofs directly.
 */
export const verifierModel: ContractModel = {
  name: 'Groth16Verifier',
  classHash: modelClassHash('Groth16Verifier'),
  entrypoints: {},
};

/**
 * Function that returns true if a proof is valid. For invalid numbers, it returns false; it never
 * throws.
 */
export type ProofVerifier = (proof: DecodedProof) => boolean;

const g1 = bn254.G1.Point;
const g2 = bn254.G2.Point;
type G1 = typeof g1.BASE;
type G2 = typeof g2.BASE;
interface Pair {
  readonly g1: G1;
  readonly g2: G2;
}

/** Order of the curve's groups. Public inputs are elements of this field. */
const R = bn254.fields.Fr.ORDER;
const Decimal = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt);
const G1Text = z.tuple([Decimal, Decimal, z.literal('1')]).transform(([x, y]) => ({ x, y }));
const G2Text = z
  .tuple([
    z.tuple([Decimal, Decimal]),
    z.tuple([Decimal, Decimal]),
    z.tuple([z.literal('1'), z.literal('0')]),
  ])
  .transform(([x, y]) => ({ x, y }));
/**
 * Output of `snarkjs zkey export verificationkey`. Fields that the verification does not need are
 * ignored.
 */
const VerificationKeyText = z.object({
  protocol: z.literal('groth16'),
  curve: z.literal('bn128'),
  nPublic: z.literal(7),
  vk_alpha_1: G1Text,
  vk_beta_2: G2Text,
  vk_gamma_2: G2Text,
  vk_delta_2: G2Text,
  IC: z.array(G1Text).length(8),
});

/**
 * Returns a Groth16 verifier, based on noble-curves, for a verification key in snarkjs' JSON format
 * (decimal strings, seven public inputs). The verifier also checks the preconditions of the pairing
 * equation: points are on the curve and not at infinity, B is in the subgroup of order r, and
 * inputs are below r.
 *
 * Results are cached by key and proof, because no other data affects them. The cache helps because
 * a simulation and an execution verify the same proof, and several chains in one process also do.
 * @throws ZodError if the key has another format, Error if its points are not on the curve.
 */
export const groth16Verifier: (verificationKey: unknown) => ProofVerifier = remembered(
  (verificationKey) => remembered(pairingCheck(verificationKey), fingerprintOf),
  (verificationKey) => JSON.stringify(verificationKey),
);

function pairingCheck(verificationKey: unknown): ProofVerifier {
  const key = VerificationKeyText.parse(verificationKey);
  const [constant, ...coefficients] = key.IC.map(g1Point);
  if (constant === undefined) throw new Error('the verification key has no constant term');
  const alphaBeta = { g1: g1Point(key.vk_alpha_1), g2: g2Point(key.vk_beta_2) };
  const gamma = g2Point(key.vk_gamma_2);
  const delta = g2Point(key.vk_delta_2);

  return ({ a, b, c, publicInputs }) => {
    if (publicInputs.some((input) => input >= R)) return false;
    const points = proofPoints(a, b, c);
    if (points === undefined) return false;
    const statement = coefficients.reduce(
      (sum, point, index) => sum.add(point.multiplyUnsafe(publicInputs[index] ?? 0n)),
      constant,
    );
    return pairingIsOne([
      { g1: points.a.negate(), g2: points.b },
      alphaBeta,
      { g1: statement, g2: gamma },
      { g1: points.c, g2: delta },
    ]);
  };
}

function g1Point(coordinates: G1Coordinates): G1 {
  const point = g1.fromAffine(coordinates);
  if (point.is0()) throw new Error('point at infinity');
  point.assertValidity();
  return point;
}

/**
 * Converts and checks a point. G2 has a cofactor other than 1, so the check includes the subgroup.
 */
function g2Point({ x, y }: G2Coordinates): G2 {
  const point = g2.fromAffine({ x: { c0: x[0], c1: x[1] }, y: { c0: y[0], c1: y[1] } });
  if (point.is0()) throw new Error('point at infinity');
  point.assertValidity();
  return point;
}

function proofPoints(
  a: G1Coordinates,
  b: G2Coordinates,
  c: G1Coordinates,
): { a: G1; b: G2; c: G1 } | undefined {
  try {
    return { a: g1Point(a), b: g2Point(b), c: g1Point(c) };
  } catch {
    // The library noble-curves throws for any invalid point.
    return undefined;
  }
}

function pairingIsOne(pairs: readonly Pair[]): boolean {
  // A pairing with the point at infinity equals one, but noble-curves rejects such a pairing. Only
  // the sum over the public inputs can be infinity here.
  const finite = pairs.filter((pair) => !pair.g1.is0());
  const { Fp12 } = bn254.fields;
  return Fp12.eql(bn254.pairingBatch(finite), Fp12.ONE);
}

/**
 * Returns the hash of the points and public inputs. Hints are excluded, because they do not affect
 * the result.
 */
function fingerprintOf({ a, b, c, publicInputs }: DecodedProof): string {
  const numbers = [a.x, a.y, ...b.x, ...b.y, c.x, c.y, ...publicInputs];
  return createHash('sha256').update(numbers.join(',')).digest('base64');
}
