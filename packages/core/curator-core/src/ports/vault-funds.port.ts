import type { Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';

/** What lies in vaults without earning anything. */
export abstract class VaultFunds {
  /**
   * In sats of WBTC, at the block that the snapshot names by its hash. Rejects with a `DomainError`
   * when the node can't answer, does not have that block, or answers what no token can: a failed
   * read is never a 0.
   */
  abstract idle(vault: Felt, at: Snapshot): Promise<bigint>;
}
