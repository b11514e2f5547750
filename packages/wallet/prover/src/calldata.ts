import { calldataBy } from './hints.js';
import type { WithdrawalProof } from './snark.js';
import type { VerificationKey } from './verification-key.js';

export interface CalldataOptions {
  /**
   * True if the first felt is the length of the rest, as in the pool's `withdraw(Span<felt252>)`.
   * @default true
   */
  readonly lengthPrefix?: boolean;
}

/**
 * Returns the proof with Garaga's hints for the verifier on Starknet, as lower-case 0x hex: 2,020
 * felts with the length prefix. The same proof always gives the same felts.
 * @throws ProverError PROOF_MALFORMED if proof or key contain values that are not field elements,
 *   CALLDATA_REFUSED if the proof does not verify under the key (hints exist only for true
 *   statements)
 */
export async function withdrawalCalldata(
  proof: WithdrawalProof,
  verificationKey: VerificationKey,
  { lengthPrefix = true }: CalldataOptions = {},
): Promise<string[]> {
  // Load Garaga on demand: only provers need its two megabytes.
  const garaga = await import('garaga');
  await garaga.init();
  const felts = calldataBy(garaga, proof, verificationKey);
  return lengthPrefix ? felts : felts.slice(1);
}
