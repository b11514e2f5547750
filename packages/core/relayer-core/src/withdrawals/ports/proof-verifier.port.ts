import type { Groth16Proof } from '@sotto/groth16/layout';

/**
 * Checks the pairing of withdrawal proofs in other threads. Proofs are invalid if a point is off
 * the curve or outside the subgroup, or if an input is not below r.
 */
export abstract class ProofVerifier {
  /**
   * Returns true if the proof is valid.
   * @param network widest IP network of the caller; the queue serves the waiting networks in turn
   * @throws VerifierBusy, VerifierFailed
   */
  abstract holds(proof: Groth16Proof, network?: string): Promise<boolean>;
}
