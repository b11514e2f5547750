import { Curve } from './groth16/curve.js';
import { proveGroth16, STAGES } from './groth16/groth16.js';
import { parseProvingKey } from './groth16/proving-key.js';
import { ProverError } from './errors.js';
import type { WithdrawalSignals } from './statement.js';
import { startCircomWitness } from './witness/circom-witness.js';
import { withdrawalWitness } from './witness/withdrawal-witness.js';

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
  /**
   * Witness generator of a pool's own circuit, compiled by circom 2.
   * @default the built-in witness of circuits/withdraw.circom
   */
  readonly wasm?: Uint8Array | undefined;
  readonly zkey: Uint8Array;
}

/**
 * Starts the arithmetic of one proof.
 * @throws ProverError ARTEFACT_UNAVAILABLE
 */
export async function startCurve(): Promise<Curve> {
  try {
    return await Curve.start();
  } catch (cause) {
    throw new ProverError(
      'ARTEFACT_UNAVAILABLE',
      "mcl's WebAssembly cannot be started: does the page's policy allow 'wasm-unsafe-eval'?",
      { cause },
    );
  }
}

/**
 * Creates a proof on the calling thread, and verifies it under the key of the zkey. Overwrites the
 * witness and the memory of `curve` at the end.
 * @param curve result of {@link startCurve}, for this proof only
 * @param onFraction receives the share of finished stages, above 0 and below 1
 * @throws ProverError STATEMENT_UNPROVABLE
 */
export async function proveWith(
  { wasm, zkey }: ArtefactBytes,
  signals: WithdrawalSignals,
  curve: Curve,
  onFraction?: (fraction: number) => void,
): Promise<WithdrawalProof> {
  let finished = 0;
  const onStage = (): void => {
    finished += 1;
    onFraction?.(finished / (STAGES + 2));
  };
  let witness: Uint8Array | undefined;
  try {
    const key = parseProvingKey(zkey);
    witness =
      wasm === undefined
        ? withdrawalWitness(signals)
        : (await startCircomWitness(wasm))(signals, key.wires);
    onStage();
    const { a, b, c, publicInputs } = proveGroth16(curve, key, witness, onStage);
    return {
      proof: {
        pi_a: [...a.map(String), '1'],
        pi_b: [b.slice(0, 2).map(String), b.slice(2).map(String), ['1', '0']],
        pi_c: [...c.map(String), '1'],
        protocol: 'groth16',
        curve: 'bn128',
      },
      publicInputs: publicInputs.map(String),
    };
  } catch (cause) {
    throw new ProverError(
      'STATEMENT_UNPROVABLE',
      'the circuit refuses the statement, or the artefacts are not its own',
      { cause },
    );
  } finally {
    witness?.fill(0);
  }
}
