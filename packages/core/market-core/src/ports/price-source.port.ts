import type { PriceObservation, PricedAsset } from '../domain/market-price.js';

export type { PriceObservation, PricedAsset } from '../domain/market-price.js';

/**
 * One source of market prices. The core decides if its prices are fresh and agree; the source
 * itself decides if a price is well founded. Omits assets without a reliable price. Rejects with a
 * `DomainError` if it is unavailable or returns an invalid answer.
 */
export abstract class PriceSource {
  abstract readonly name: string;
  abstract observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]>;
}
