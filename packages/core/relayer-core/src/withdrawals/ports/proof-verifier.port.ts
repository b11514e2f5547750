import type { Groth16Proof } from '@sotto/groth16/layout';

/**
 * Pairing check of withdrawal proofs, off the event loop. Proofs with points off the curve or
 * outside the subgroup, or with inputs not below r, are invalid.
 */
export abstract class ProofVerifier {
  /**
   * Returns true for a valid proof.
   * @param network widest network of the proof's caller; networks alternate in the queue
   * @throws VerifierBusy, VerifierFailed
   */
  abstract holds(proof: Groth16Proof, network?: string): Promise<boolean>;
}
