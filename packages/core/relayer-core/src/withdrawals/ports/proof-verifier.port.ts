import type { Groth16Proof } from '@sotto/groth16/layout';

/**
 * The pairing check of a withdrawal proof, off the event loop. Points off the curve or outside the
 * subgroup, and inputs not below r, do not hold.
 */
export abstract class ProofVerifier {
  /**
   * @param network of the caller whose proof it is, the widest one: where proofs wait, networks
   *   take turns
   * @throws VerifierBusy, VerifierFailed
   */
  abstract holds(proof: Groth16Proof, network?: string): Promise<boolean>;
}
