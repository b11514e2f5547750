import type { Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';

/** Reads balances of ERC-20 tokens, in the token's smallest unit. */
export abstract class Balances {
  /**
   * Reads the account's balance of the ERC-20 token in the snapshot's block, which is identified by
   * its hash. The balance is 0 for an account that the token has never seen. Rejects with a
   * `DomainError` if the node is unavailable, does not have the block, or has no such ERC-20 token.
   */
  abstract of(token: Felt, account: Felt, at: Snapshot): Promise<bigint>;
}
