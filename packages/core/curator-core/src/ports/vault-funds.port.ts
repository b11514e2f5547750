import type { Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';

/** Reads the idle funds of vaults. */
export abstract class VaultFunds {
  /**
   * Reads the idle balance in sats of WBTC, at the snapshot's block, which is identified by its
   * hash. Rejects with a `DomainError` if the node is unavailable, does not have this block, or
   * returns an impossible ERC-20 balance. A failed read never returns 0.
   */
  abstract idle(vault: Felt, at: Snapshot): Promise<bigint>;
}
