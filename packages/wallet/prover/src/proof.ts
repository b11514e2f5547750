import type { WithdrawalRequest } from '@sotto/wallet';

import { ProverError } from './errors.js';
import type { WithdrawalProof } from './snark.js';
import { toSignals, type WithdrawalSignals } from './statement.js';

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
 * @throws ProverError when the request cannot be proven (see the codes of the checks in the
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
 * @throws ProverError as {@link proveWithdrawal}.
 */
export async function proveSignals(
  signals: WithdrawalSignals,
  artefacts: ProvingArtefacts,
): Promise<WithdrawalProof> {
  const [wasm, zkey] = await Promise.all([bytesOf(artefacts.wasm), bytesOf(artefacts.zkey)]);
  // Only provers need it, and it is large.
  const { proveWith } = await import('./snark.js');
  return proveWith({ wasm, zkey }, signals);
}

async function bytesOf(artefact: Uint8Array | URL): Promise<Uint8Array> {
  if (artefact instanceof Uint8Array) return artefact;
  let response: Response;
  try {
    response = await fetch(artefact);
  } catch (cause) {
    throw new ProverError('ARTEFACT_UNAVAILABLE', 'a proving artefact cannot be fetched', {
      cause,
    });
  }
  if (!response.ok)
    throw new ProverError(
      'ARTEFACT_UNAVAILABLE',
      `a proving artefact cannot be fetched: status ${response.status}`,
    );
  return new Uint8Array(await response.arrayBuffer());
}
