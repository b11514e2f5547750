import type { Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';

/** Balances of ERC-20 tokens, in the token's smallest unit. */
export abstract class Balances {
  /**
   * What the account holds of the token in the snapshot's block, read by the block's hash: 0 for an
   * account that the token has never seen. Rejects with a `DomainError` when the node can't answer,
   * does not have the block, or shows no such token.
   */
  abstract of(token: Felt, account: Felt, at: Snapshot): Promise<bigint>;
}
