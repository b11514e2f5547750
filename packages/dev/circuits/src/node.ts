import { readFile } from 'node:fs/promises';

import { CircuitError } from './errors.js';
import type { Groth16Proof, ProvingArtefacts } from './proof.js';
import { parseVerificationKey, type VerificationKey } from './verification-key.js';

/** Proving artefacts held in memory, and the key that belongs to them. */
export interface DevelopmentKeys extends ProvingArtefacts {
  readonly wasm: Uint8Array;
  readonly zkey: Uint8Array;
  readonly verificationKey: VerificationKey;
}

/**
 * The committed development keys of keys/. Their toxic waste is known: anybody can forge proofs for
 * them.
 * @throws CircuitError ARTEFACT_UNAVAILABLE when a file is missing.
 */
export async function loadDevelopmentKeys(): Promise<DevelopmentKeys> {
  const [wasm, zkey, verificationKey] = await Promise.all([
    read('keys/withdraw.wasm'),
    read('keys/withdraw.zkey'),
    readText('keys/verification_key.json'),
  ]);
  return { wasm, zkey, verificationKey: parseVerificationKey(JSON.parse(verificationKey)) };
}

/**
 * One proven withdrawal with everything around it, for the tests of other packages. Integers are
 * decimal strings.
 */
export interface WithdrawalVector {
  readonly verificationKey: VerificationKey;
  readonly proof: Groth16Proof;
  /** In the order of PUBLIC_INPUTS. */
  readonly publicInputs: string[];
  /** 0x hex, with the length felt. */
  readonly calldata: string[];
  /** (−A, −B, C): the same statement, other felts. */
  readonly malleatedProof: Groth16Proof;
  readonly malleatedCalldata: string[];
  readonly note: {
    readonly text: string;
    readonly nullifier: string;
    readonly secret: string;
    readonly commitment: string;
    readonly nullifierHash: string;
  };
  /** All commitments of the tree, in order; the note is at `leafIndex`. */
  readonly leaves: string[];
  readonly leafIndex: number;
  /** 0x hex. */
  readonly recipient: string;
  /** 0x hex. */
  readonly relayer: string;
  readonly feeSats: string;
  readonly batchStart: number;
  readonly batchSize: number;
}

/**
 * The vector of test/vectors/withdrawal.json, made with the development keys.
 * @throws CircuitError ARTEFACT_UNAVAILABLE.
 */
export async function loadWithdrawalVector(): Promise<WithdrawalVector> {
  // A file of this package, not something from outside: scripts/make-vectors.mjs writes it and a
  // test pins its content.
  const vector: WithdrawalVector = JSON.parse(await readText('test/vectors/withdrawal.json'));
  return vector;
}

async function read(path: string): Promise<Uint8Array> {
  try {
    // The same relative place from src/ and from dist/.
    return await readFile(new URL(`../${path}`, import.meta.url));
  } catch (cause) {
    throw new CircuitError('ARTEFACT_UNAVAILABLE', `${path} of this package cannot be read`, {
      cause,
    });
  }
}

async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await read(path));
}
