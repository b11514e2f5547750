import { calldataBy } from './hints.js';
import type { WithdrawalProof } from './snark.js';
import type { VerificationKey } from './verification-key.js';

export interface CalldataOptions {
  /**
   * Whether the first felt is the length of the rest, as the pool's `withdraw(Span<felt252>)` takes
   * it.
   * @default true
   */
  readonly lengthPrefix?: boolean;
}

/**
 * The proof with Garaga's hints for the verifier on Starknet, as lower-case 0x hex: 2,020 felts
 * with the length prefix. The same proof always gives the same felts.
 * @throws ProverError PROOF_MALFORMED when proof or key hold no field elements, CALLDATA_REFUSED
 *   when the proof does not verify under the key (hints exist for true statements only).
 */
export async function withdrawalCalldata(
  proof: WithdrawalProof,
  verificationKey: VerificationKey,
  { lengthPrefix = true }: CalldataOptions = {},
): Promise<string[]> {
  // Two megabytes that only provers need.
  const garaga = await import('garaga');
  await garaga.init();
  const felts = calldataBy(garaga, proof, verificationKey);
  return lengthPrefix ? felts : felts.slice(1);
}
