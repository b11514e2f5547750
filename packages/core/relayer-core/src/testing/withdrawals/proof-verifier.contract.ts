import type { TestRunner } from '@sotto/kernel/testing';
import type { G1Point, G2Point, Groth16Proof } from '@sotto/groth16/layout';
import type { ProofVerifier } from '../../withdrawals/ports/proof-verifier.port.js';

export interface ProofVerifierHarness {
  readonly subject: ProofVerifier;
  /**
   * Valid proof for the verification key of the verifier under test, with at least two public
   * inputs.
   */
  readonly sound: Groth16Proof;
  stop(): Promise<void>;
}

/** Prime of the base field of BN254. Coordinates of points are below this number. */
const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
/** Order of the scalar field of BN254. Public inputs are below this number. */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** Point on the twist curve at x = 1 that is not in the subgroup of order r. */
const OUTSIDE_SUBGROUP: G2Point = {
  x: [1n, 0n],
  y: [
    3610091866386166428467545612961983990332663701371483510632385378352395651980n,
    15975588672102553735566230729081043132501226101599136527557730645158523614371n,
  ],
};
const INFINITY: G1Point = { x: 0n, y: 0n };

/** Defines tests that every proof verifier must pass, for any implementation of the pairing. */
export function describeProofVerifierContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<ProofVerifierHarness>,
): void {
  describe(`ProofVerifier contract (${name})`, () => {
    let harness: ProofVerifierHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });
    const held = (change: (sound: Groth16Proof) => Groth16Proof): Promise<boolean> =>
      harness.subject.holds(change(harness.sound));

    it('accepts a valid proof', async () => {
      expect(await held((sound) => sound)).toBe(true);
    });

    it('accepts the equivalent proof (−A, −B, C), which can be computed from a valid proof without the secret', async () => {
      expect(await held(twin)).toBe(true);
    });

    it.each<readonly [string, (sound: Groth16Proof) => Groth16Proof]>([
      ['another public input', (sound) => withInput(sound, (input) => (input + 1n) % R)],
      [
        'a public input that only equals modulo r',
        (sound) => withInput(sound, (input) => input + R),
      ],
      [
        'a missing public input',
        (sound) => ({ ...sound, publicInputs: sound.publicInputs.slice(0, -1) }),
      ],
      [
        'one public input more',
        (sound) => ({ ...sound, publicInputs: [...sound.publicInputs, 0n] }),
      ],
      [
        'public inputs in another order',
        (sound) => ({ ...sound, publicInputs: sound.publicInputs.toReversed() }),
      ],
      ['A off the curve', (sound) => ({ ...sound, a: { x: sound.a.x, y: (sound.a.y + 1n) % P } })],
      ['A negated alone', (sound) => ({ ...sound, a: { x: sound.a.x, y: P - sound.a.y } })],
      ['A at infinity', (sound) => ({ ...sound, a: INFINITY })],
      [
        'a coordinate that only equals modulo p',
        (sound) => ({ ...sound, a: { x: sound.a.x + P, y: sound.a.y } }),
      ],
      ['B outside its subgroup', (sound) => ({ ...sound, b: OUTSIDE_SUBGROUP })],
      ['C exchanged for A', (sound) => ({ ...sound, c: sound.a })],
    ])('rejects a proof with %s', async (_, change) => {
      expect(await held(change)).toBe(false);
    });

    it('returns the correct result for each of many concurrent checks', async () => {
      const wanted = Array.from({ length: 12 }, (_, index) => index % 3 !== 0);
      const answers = wanted.map((sound) =>
        held((proof) => (sound ? proof : withInput(proof, (input) => (input + 1n) % R))),
      );
      expect(await Promise.all(answers)).toEqual(wanted);
    });
  });
}

function withInput(proof: Groth16Proof, change: (input: bigint) => bigint): Groth16Proof {
  return {
    ...proof,
    publicInputs: proof.publicInputs.map((input, index) => (index === 1 ? change(input) : input)),
  };
}

function twin({ a, b, ...rest }: Groth16Proof): Groth16Proof {
  return { ...rest, a: { x: a.x, y: P - a.y }, b: { x: b.x, y: [P - b.y[0], P - b.y[1]] } };
}
