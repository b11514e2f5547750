import type { Felt } from '@sotto/kernel';

/** Finds who spent a note, by the pool's `Withdrawal` event, whose key is the nullifier's hash. */
export abstract class SpentNullifiers {
  /**
   * Hash of the transaction with that event in a block at ACCEPTED_ON_L2, the first where there are
   * several; null when no transaction has it. Rejects with a `DomainError` when the node can't
   * answer, or not within as many round trips as one question may cost.
   */
  abstract spenderOf(pool: Felt, nullifierHash: bigint): Promise<Felt | null>;
}
