import { BASE_FIELD } from '../fields.js';
import type { WithdrawalProof } from '../snark.js';

export { proveSignals } from '../proof.js';
export { toSignals, type WithdrawalSignals } from '../statement.js';

/**
 * Returns (−A, −B, C): a second valid proof of the same statement, computed without the note. The
 * two proofs have different calldata.
 */
export function malleate({ proof, publicInputs }: WithdrawalProof): WithdrawalProof {
  const { pi_a: a, pi_b: b } = proof;
  return {
    proof: {
      ...proof,
      pi_a: a.map((coordinate, index) => (index === 1 ? negate(coordinate) : coordinate)),
      pi_b: b.map((pair, index) => (index === 1 ? pair.map(negate) : pair)),
    },
    publicInputs,
  };
}

function negate(coordinate: string): string {
  return ((BASE_FIELD - BigInt(coordinate)) % BASE_FIELD).toString();
}
