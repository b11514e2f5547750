import type { GasPrices } from '../domain/resource-bounds.js';

/**
 * Latest block at ACCEPTED_ON_L2, read very recently. Concurrent callers may share one read.
 * Rejects with a `DomainError` if the node can't answer.
 */
export abstract class LatestBlock {
  abstract number(): Promise<number>;
  abstract gasPrices(): Promise<GasPrices>;
}
