import { CircuitError } from './errors.js';
import { toSignals, type WithdrawalRequest, type WithdrawalSignals } from './statement.js';

/** A Groth16 proof in snarkjs' form: projective points as decimal strings. */
export interface Groth16Proof {
  readonly pi_a: string[];
  readonly pi_b: string[][];
  readonly pi_c: string[];
  readonly protocol: string;
  readonly curve: string;
}

export interface WithdrawalProof {
  readonly proof: Groth16Proof;
  /** Decimal strings, in the order of PUBLIC_INPUTS. */
  readonly publicInputs: string[];
}

/** The circuit's artefacts, as bytes or as where to fetch them (http, https, data or blob). */
export interface ProvingArtefacts {
  /** Witness generator. */
  readonly wasm: Uint8Array | URL;
  /** Proving key. */
  readonly zkey: Uint8Array | URL;
}

/**
 * Proves a withdrawal on the calling thread (no workers, so nothing keeps a process alive); two
 * proofs of one request differ, as Groth16 proofs are randomised.
 * @throws CircuitError when the request cannot be proven (see the codes of the checks in the
 *   README), ARTEFACT_UNAVAILABLE when an artefact cannot be fetched, STATEMENT_UNPROVABLE when the
 *   artefacts are of another circuit.
 */
export async function proveWithdrawal(
  request: WithdrawalRequest,
  artefacts: ProvingArtefacts,
): Promise<WithdrawalProof> {
  return proveSignals(toSignals(request), artefacts);
}

/**
 * Proves any statement the circuit accepts, without the kit's own checks.
 * @throws CircuitError as {@link proveWithdrawal}.
 */
export async function proveSignals(
  signals: WithdrawalSignals,
  artefacts: ProvingArtefacts,
): Promise<WithdrawalProof> {
  const [wasm, zkey] = await Promise.all([bytesOf(artefacts.wasm), bytesOf(artefacts.zkey)]);
  // Only provers need it, and it is large.
  const { groth16 } = await import('snarkjs');
  const inputs = {
    ...signals,
    pathElements: [...signals.pathElements],
    pathIndices: [...signals.pathIndices],
  };
  try {
    const { proof, publicSignals } = await groth16.fullProve(
      inputs,
      wasm,
      zkey,
      undefined,
      WITNESS_OPTIONS,
      { singleThread: true },
    );
    return { proof, publicInputs: publicSignals };
  } catch (cause) {
    throw new CircuitError(
      'STATEMENT_UNPROVABLE',
      'the circuit refuses the statement, or the artefacts are not its own',
      { cause },
    );
  }
}

/**
 * Witness generators of circom 2 bring their memory along; snarkjs would set 2 GiB aside that
 * nothing uses.
 */
const WITNESS_OPTIONS = { memorySize: 1 };

async function bytesOf(artefact: Uint8Array | URL): Promise<Uint8Array> {
  if (artefact instanceof Uint8Array) return artefact;
  let response: Response;
  try {
    response = await fetch(artefact);
  } catch (cause) {
    throw new CircuitError('ARTEFACT_UNAVAILABLE', 'a proving artefact cannot be fetched', {
      cause,
    });
  }
  if (!response.ok)
    throw new CircuitError(
      'ARTEFACT_UNAVAILABLE',
      `a proving artefact cannot be fetched: status ${response.status}`,
    );
  return new Uint8Array(await response.arrayBuffer());
}
