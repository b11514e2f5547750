import type { Felt } from '@sotto/kernel';
import type { SierraVersion } from '../domain/contract-class.js';

export type { SierraVersion } from '../domain/contract-class.js';

/**
 * Reads classes of contracts in the newest accepted block. Rejects with a `DomainError` if the node
 * is unavailable.
 */
export abstract class ContractClasses {
  /**
   * Returns class hashes, one for each of the addresses in `addresses`. An element is null if no
   * contract is deployed at its address.
   */
  abstract hashesAt(addresses: readonly Felt[]): Promise<readonly (Felt | null)[]>;
  /**
   * Returns the Sierra version of a class. Null for a class of Cairo 0, which has no Sierra. Reads
   * the whole class, which may be megabytes, so call it once per class. Rejects for an unknown
   * hash.
   */
  abstract sierraVersionOf(classHash: Felt): Promise<SierraVersion | null>;
}
