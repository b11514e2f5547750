import type { Snapshot } from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import type { LeveragePosition } from '../domain/leverage/position.js';

/** Reads the collateral and debt of a vault. */
export abstract class LeveragePositions {
  /**
   * Reads the position at the snapshot's block, which is identified by its hash. Rejects with a
   * `DomainError` if the node is unavailable, does not have this block, or returns felts that do
   * not match the vault's layout. A failed read never returns 0.
   */
  abstract read(vault: LeveragedVault, snapshot: Snapshot): Promise<LeveragePosition>;
}
