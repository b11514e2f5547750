import type { WithdrawalRequest } from '@sotto/wallet/advanced';

import { MOST_BYTES } from './artefacts.js';
import { ProverError } from './errors.js';
import type { WithdrawalProof } from './snark.js';
import { toSignals, type WithdrawalSignals } from './statement.js';

/** Artefacts of the circuit, as bytes or as URLs to fetch (http, https, data or blob). */
export interface ProvingArtefacts {
  /**
   * Witness generator of a pool's own circuit, compiled by circom 2.
   * @default the built-in witness of circuits/withdraw.circom
   */
  readonly wasm?: Uint8Array | URL | undefined;
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
  const { wasm, zkey } = artefacts;
  const bytes = {
    wasm: wasm === undefined ? undefined : await bytesOf('wasm', wasm),
    zkey: await bytesOf('zkey', zkey),
  };
  // Load the prover on demand: mcl is large, and only provers need it.
  const { proveWith, startCurve } = await import('./snark.js');
  return proveWith(bytes, signals, await startCurve());
}

async function bytesOf(name: 'wasm' | 'zkey', artefact: Uint8Array | URL): Promise<Uint8Array> {
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
  return readAtMost(response, MOST_BYTES[name]);
}

/** @throws ProverError ARTEFACT_UNAVAILABLE if the body is longer; the rest is then not read */
async function readAtMost(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    length += value.length;
    chunks.push(value);
    if (length > limit) {
      await reader?.cancel();
      throw new ProverError(
        'ARTEFACT_UNAVAILABLE',
        `a proving artefact has at most ${limit} bytes`,
      );
    }
  }
}
