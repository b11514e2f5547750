import type { Felt } from '@sotto/kernel';
import type { SierraVersion } from '../domain/contract-class.js';

export type { SierraVersion } from '../domain/contract-class.js';

/**
 * Classes of contracts as the newest accepted block has them. Rejects with a `DomainError` when the
 * node can't answer.
 */
export abstract class ContractClasses {
  /** In the order of the addresses; null where no contract stands. */
  abstract hashesAt(addresses: readonly Felt[]): Promise<readonly (Felt | null)[]>;
  /**
   * Reads the whole class, which may be megabytes: to be asked once for each.
   * Null for a class of Cairo 0, which has no Sierra. Rejects for a hash that no class has.
   */
  abstract sierraVersionOf(classHash: Felt): Promise<SierraVersion | null>;
}
