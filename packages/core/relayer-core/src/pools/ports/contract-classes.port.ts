import type { Felt } from '@sotto/kernel';
import type { SierraVersion } from '../domain/contract-class.js';

export type { SierraVersion } from '../domain/contract-class.js';

/**
 * Classes of contracts in the newest accepted block. Rejects with a `DomainError` if the node is
 * unavailable.
 */
export abstract class ContractClasses {
  /** Returns class hashes in the order of the addresses; null if no contract is deployed there. */
  abstract hashesAt(addresses: readonly Felt[]): Promise<readonly (Felt | null)[]>;
  /**
   * Reads the whole class, which may be megabytes, so call it once per class. Returns null for a
   * class of Cairo 0, which has no Sierra. Rejects for an unknown hash.
   */
  abstract sierraVersionOf(classHash: Felt): Promise<SierraVersion | null>;
}
