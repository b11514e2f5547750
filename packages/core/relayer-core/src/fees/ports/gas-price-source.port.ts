import type { GasPrices } from '@sotto/submission-core';

/**
 * Prices of gas in the latest accepted block. Rejects with a `DomainError` when the node can't
 * answer.
 */
export abstract class GasPriceSource {
  abstract gasPrices(): Promise<GasPrices>;
}
