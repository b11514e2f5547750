import type { PriceObservation, PricedAsset } from '../domain/market-price.js';

export type { PriceObservation, PricedAsset } from '../domain/market-price.js';

/**
 * One source of market prices, as it sees them. Whether they are fresh and agree is judged by the
 * core; whether enough stands behind one is the source's own matter. Leaves out assets that it has
 * no price for, or none that it stands by. Rejects with a `DomainError` when it can't be reached or
 * answers nonsense.
 */
export abstract class PriceSource {
  abstract readonly name: string;
  abstract observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]>;
}
