import type { Felt } from '@sotto/kernel';
import type { PoolVersion } from '../../pools/domain/apply-actions-call.js';

/** Selects the values that are read. */
export interface WantedPoolFacts {
  /** Height whose block hash is returned; null if none is needed. */
  readonly baseBlockNumber: number | null;
  /** Storage addresses of the pool that are compared with zero. */
  readonly addresses: readonly Felt[];
}

/** State of a privacy pool (STRK20) at ACCEPTED_ON_L2. */
export interface PrivacyPoolFacts {
  readonly classHash: Felt;
  readonly version: PoolVersion;
  readonly isPaused: boolean;
  /** STRK that the pool charges the sender of a transaction, in fri. */
  readonly feeFri: bigint;
  /** Number of blocks after its base block in which the pool accepts a proof. */
  readonly validityBlocks: number;
  /** Height of the chain's head. */
  readonly headNumber: number;
  /** Hash of the block at the wanted height; null above the head, and if none was wanted. */
  readonly baseBlockHash: Felt | null;
  /** Wanted storage addresses whose value is not zero. */
  readonly taken: readonly Felt[];
}

/**
 * Reads privacy pools. All reads start in the tick of the call. Rejects with a `DomainError` if the
 * node is unavailable, or if the contract is no privacy pool.
 */
export abstract class PrivacyPoolReader {
  abstract facts(pool: Felt, wanted: WantedPoolFacts): Promise<PrivacyPoolFacts>;
}
