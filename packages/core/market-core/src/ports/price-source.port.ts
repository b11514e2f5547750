import type { PriceObservation, PricedAsset } from '../domain/market-price.js';

export type { PriceObservation, PricedAsset } from '../domain/market-price.js';

/**
 * One source of market prices. The core decides whether prices are fresh and agree; the source
 * itself decides whether a price is reliable. Assets without a reliable price are omitted. Methods
 * reject with a `DomainError` if the source is unavailable or returns an invalid response.
 */
export abstract class PriceSource {
  abstract readonly name: string;
  abstract observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]>;
}
