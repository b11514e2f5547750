import type { G1Point, G2Point, Groth16Proof } from '../../src/layout.js';
import type { VerificationKey } from '../../src/verification-key.js';
import { groth16, type Groth16Proof as SnarkjsProof } from 'snarkjs';

const texts = (values: readonly bigint[]): string[] => values.map(String);
const g1 = ({ x, y }: G1Point): string[] => [...texts([x, y]), x === 0n && y === 0n ? '0' : '1'];
const g2 = ({ x, y }: G2Point): string[][] => [
  texts(x),
  texts(y),
  [...x, ...y].every((value) => value === 0n) ? ['0', '0'] : ['1', '0'],
];

/** Checks the proof with snarkjs, an independent implementation of curve, pairing and equation. */
export async function holdsBySnarkjs(key: VerificationKey, proof: Groth16Proof): Promise<boolean> {
  const snarkjsKey = {
    protocol: 'groth16',
    curve: 'bn128',
    nPublic: key.ic.length - 1,
    vk_alpha_1: g1(key.alpha),
    vk_beta_2: g2(key.beta),
    vk_gamma_2: g2(key.gamma),
    vk_delta_2: g2(key.delta),
    IC: key.ic.map(g1),
  };
  const snarkjsProof: SnarkjsProof = {
    pi_a: g1(proof.a),
    pi_b: g2(proof.b),
    pi_c: g1(proof.c),
    protocol: 'groth16',
    curve: 'bn128',
  };
  return groth16.verify(snarkjsKey, texts(proof.publicInputs), snarkjsProof);
}

/** Ends the threads that snarkjs starts and reuses. Otherwise the test process would not end. */
export async function stopSnarkjs(): Promise<void> {
  // snarkjs stores its curve in the global scope.
  const curve: { terminate(): Promise<void> } | null | undefined = Reflect.get(
    globalThis,
    'curve_bn128',
  );
  await curve?.terminate();
}
