import { WalletError, type WalletErrorCode, type WithdrawalRequest } from '@sotto/wallet/advanced';

import type { ProverArtefacts } from '../artefacts.js';
import { ProverError, type ProverErrorCode } from '../errors.js';
import { calldataBy, type Garaga } from '../hints.js';
import { proveWith, startCurve } from '../snark.js';
import { toSignals } from '../statement.js';
import { parseVerificationKey } from '../verification-key.js';

/** Job of a worker. Each worker receives exactly one job. */
export interface ProvingJob {
  readonly artefacts: ProverArtefacts<Uint8Array>;
  readonly request: WithdrawalRequest;
}

/**
 * Message of a worker. The first message is `ready`; the last is `proven` or an error without any
 * value of the request.
 */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly step: 'proof' | 'calldata'; readonly fraction: number }
  | { readonly kind: 'proven'; readonly calldata: readonly string[] }
  | { readonly kind: 'refused'; readonly code: ProverErrorCode; readonly message: string }
  | { readonly kind: 'wallet-refused'; readonly code: WalletErrorCode; readonly message: string }
  | { readonly kind: 'failed' };

/** Runs the job on the calling thread. Never throws. */
export async function runJob(
  { artefacts, request }: ProvingJob,
  loadGaraga: () => Promise<Garaga>,
  send: (message: WorkerMessage) => void,
): Promise<void> {
  const report = (step: 'proof' | 'calldata', fraction: number): void =>
    send({ kind: 'progress', step, fraction });
  try {
    const verificationKey = parseVerificationKey(
      JSON.parse(new TextDecoder().decode(artefacts.verificationKey)),
    );
    const signals = toSignals(request);
    const [garaga, curve] = await Promise.all([webAssembly(loadGaraga), startCurve()]);
    report('proof', 0);
    const proof = await proveWith(artefacts, signals, curve, (fraction) =>
      report('proof', fraction),
    );
    report('proof', 1);
    report('calldata', 0);
    const calldata = calldataBy(garaga, proof, verificationKey);
    report('calldata', 1);
    send({ kind: 'proven', calldata });
  } catch (error) {
    // Do not send causes and unknown errors, because they may quote the request.
    if (error instanceof ProverError)
      send({ kind: 'refused', code: error.code, message: error.message });
    else if (error instanceof WalletError)
      send({ kind: 'wallet-refused', code: error.code, message: error.message });
    else send({ kind: 'failed' });
  }
}

/**
 * Loads Garaga before the other work. So if the page's policy forbids WebAssembly, the error names
 * this cause.
 */
async function webAssembly(load: () => Promise<Garaga>): Promise<Garaga> {
  try {
    return await load();
  } catch (cause) {
    throw new ProverError(
      'ARTEFACT_UNAVAILABLE',
      "Garaga's WebAssembly cannot be loaded: is garaga.wasm served, and does the page's policy " +
        "allow 'wasm-unsafe-eval' and connections to it?",
      { cause },
    );
  }
}
