/**
 * The number of the latest block at ACCEPTED_ON_L2, at most a moment old; many may ask at once.
 * Rejects with a `DomainError` when the node can't answer.
 */
export abstract class BlockClock {
  abstract latestBlockNumber(): Promise<number>;
}
