import { groth16, wtns } from 'snarkjs';

import type { VerificationKey, WithdrawalProof } from '../../src/index.js';
import type { WithdrawalSignals } from '../../src/testing/index.js';

declare global {
  /**
   * Global in which snarkjs stores the curve whose worker threads it has started; null if it has
   * started none.
   */
  var curve_bn128: { terminate(): Promise<void> } | null | undefined;
}

/** Verifies a proof with snarkjs, then ends the worker threads that snarkjs started. */
export async function verifies(
  { proof, publicInputs }: WithdrawalProof,
  key: VerificationKey,
): Promise<boolean> {
  try {
    return await groth16.verify(key, publicInputs, proof);
  } finally {
    await endSnarkjsWorkers();
  }
}

export async function endSnarkjsWorkers(): Promise<void> {
  await globalThis.curve_bn128?.terminate();
}

/** Computes the circuit's witness, in snarkjs' format. Rejects exactly if a constraint fails. */
export async function calculateWitness(
  signals: WithdrawalSignals,
  wasm: Uint8Array,
): Promise<Uint8Array> {
  const file: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
  await wtns.calculate(
    { ...signals, pathElements: [...signals.pathElements], pathIndices: [...signals.pathIndices] },
    wasm,
    file,
  );
  if (file.data === undefined) throw new Error('snarkjs wrote no witness');
  return file.data;
}
