import type { Felt } from '@sotto/kernel';
import type { PoolStatus } from '../domain/pool-status.js';

/**
 * All that a shielded pool says of itself, read from one block in one batched round trip.
 * Rejects with a `DomainError` when the node can't answer or answers what no pool can: a failed
 * read is never a "0".
 */
export abstract class PoolStatusReader {
  abstract poolStatus(pool: Felt): Promise<PoolStatus>;
}
