import type { GasPrices } from '../domain/resource-bounds.js';

/**
 * The latest block at ACCEPTED_ON_L2, at most a moment old; many may ask at once. Rejects with a
 * `DomainError` when the node can't answer.
 */
export abstract class LatestBlock {
  abstract number(): Promise<number>;
  abstract gasPrices(): Promise<GasPrices>;
}
