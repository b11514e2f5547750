import type { Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';

/** Reads balances of ERC-20 tokens, in the token's smallest unit. */
export abstract class Balances {
  /**
   * Reads the account's balance of the token in the snapshot's block, identified by its hash: 0 for
   * an account that the token has never seen. Rejects with a `DomainError` if the node is
   * unavailable, does not have the block, or has no such token.
   */
  abstract of(token: Felt, account: Felt, at: Snapshot): Promise<bigint>;
}
