import { groth16 } from 'snarkjs';

import { ProverError } from './errors.js';
import type { WithdrawalSignals } from './statement.js';

/** Groth16 proof in snarkjs' form: projective points as decimal strings. */
export interface Groth16Proof {
  readonly pi_a: string[];
  readonly pi_b: string[][];
  readonly pi_c: string[];
  readonly protocol: string;
  readonly curve: string;
}

export interface WithdrawalProof {
  readonly proof: Groth16Proof;
  /** Public inputs as decimal strings, in the order of PUBLIC_INPUTS. */
  readonly publicInputs: string[];
}

/** Proving artefacts in memory. */
export interface ArtefactBytes {
  readonly wasm: Uint8Array;
  readonly zkey: Uint8Array;
}

/**
 * Options of the witness generator. Witness generators of circom 2 allocate their own memory. With
 * its default option, snarkjs would allocate 2 GiB in addition, which would stay unused.
 */
const WITNESS_OPTIONS = { memorySize: 1 };

/**
 * Log lines that snarkjs writes at the start of each stage, in order. When the first line is
 * logged, the witness is complete.
 */
const STAGES = [
  'Reading Wtns',
  'Building ABC',
  'Join ABC',
  'Reading A Points',
  'Reading B1 Points',
  'Reading B2 Points',
  'Reading C Points',
  'Reading H Points',
];

/**
 * Creates a proof on the calling thread.
 * @param onFraction receives the share of finished stages, above 0 and below 1
 * @throws ProverError STATEMENT_UNPROVABLE
 */
export async function proveWith(
  { wasm, zkey }: ArtefactBytes,
  signals: WithdrawalSignals,
  onFraction?: (fraction: number) => void,
): Promise<WithdrawalProof> {
  const inputs = {
    ...signals,
    pathElements: [...signals.pathElements],
    pathIndices: [...signals.pathIndices],
  };
  const debug = (line: string): void => {
    const stage = STAGES.indexOf(line);
    if (stage >= 0) onFraction?.((stage + 1) / (STAGES.length + 1));
  };
  try {
    const { proof, publicSignals } = await groth16.fullProve(
      inputs,
      wasm,
      zkey,
      { debug },
      WITNESS_OPTIONS,
      { singleThread: true },
    );
    return { proof, publicInputs: publicSignals };
  } catch (cause) {
    throw new ProverError(
      'STATEMENT_UNPROVABLE',
      'the circuit refuses the statement, or the artefacts are not its own',
      { cause },
    );
  }
}
