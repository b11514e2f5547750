import type { Snapshot } from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import type { LeveragePosition } from '../domain/leverage/position.js';

/** Reads what a vault has supplied and borrowed. */
export abstract class LeveragePositions {
  /**
   * All of it at the snapshot's block, named by its hash. Rejects with a `DomainError` when the
   * node can't answer, does not have that block, or answers what the vault's layout does not say:
   * a failed read is never a 0.
   */
  abstract read(vault: LeveragedVault, snapshot: Snapshot): Promise<LeveragePosition>;
}
