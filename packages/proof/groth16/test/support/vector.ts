import { readFileSync } from 'node:fs';
import { Felts } from '@sotto/kernel';
import { readProofCalldata, type Groth16Proof } from '../../src/layout.js';
import { parseVerificationKey, type VerificationKey } from '../../src/verification-key.js';

/**
 * Real withdrawal proof. The wallet's kit made it from a note in a tree of depth 10, with the
 * development key.
 */
interface WithdrawalVector {
  readonly verificationKey: {
    readonly vk_alpha_1: readonly string[];
    readonly vk_beta_2: readonly (readonly string[])[];
    readonly vk_gamma_2: readonly (readonly string[])[];
    readonly IC: readonly (readonly string[])[];
  };
  readonly publicInputs: readonly string[];
  readonly proof: {
    readonly pi_a: readonly string[];
    readonly pi_b: readonly (readonly string[])[];
    readonly pi_c: readonly string[];
  };
  readonly calldata: readonly string[];
  readonly malleatedCalldata: readonly string[];
}

const file = new URL(import.meta.resolve('@sotto/prover/vectors/withdrawal.json'));
// The package that creates this file also checks the file's format.
export const vector: WithdrawalVector = JSON.parse(readFileSync(file, 'utf8'));

export const realCalldata = Felts.parse(vector.calldata);
export const realKey: VerificationKey = parseVerificationKey(vector.verificationKey);
export const realProof: Groth16Proof = readProofCalldata(realCalldata).proof;
