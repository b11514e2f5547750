import type { WithdrawalRequest } from '@sotto/wallet';

import { ProverError } from './errors.js';
import type { WithdrawalProof } from './snark.js';
import { toSignals, type WithdrawalSignals } from './statement.js';

/** Artefacts of the circuit, as bytes or as URLs to fetch (http, https, data or blob). */
export interface ProvingArtefacts {
  /** Witness generator of the circuit, in WebAssembly. */
  readonly wasm: Uint8Array | URL;
  /** Proving key. */
  readonly zkey: Uint8Array | URL;
}

/**
 * Proves a withdrawal on the calling thread. No worker remains that would prevent the process from
 * ending. Two proofs of one request differ, because Groth16 proofs are randomised.
 * @throws ProverError if the request can't be proven (see the codes in the README),
 *   ARTEFACT_UNAVAILABLE if an artefact can't be fetched, STATEMENT_UNPROVABLE if the artefacts
 *   belong to another circuit
 */
export async function proveWithdrawal(
  request: WithdrawalRequest,
  artefacts: ProvingArtefacts,
): Promise<WithdrawalProof> {
  return proveSignals(toSignals(request), artefacts);
}

/**
 * Proves any statement that the circuit accepts, without this package's checks.
 * @throws ProverError, see {@link proveWithdrawal}
 */
export async function proveSignals(
  signals: WithdrawalSignals,
  artefacts: ProvingArtefacts,
): Promise<WithdrawalProof> {
  const [wasm, zkey] = await Promise.all([bytesOf(artefacts.wasm), bytesOf(artefacts.zkey)]);
  // Load snarkjs on demand: it is large, and only provers need it.
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
