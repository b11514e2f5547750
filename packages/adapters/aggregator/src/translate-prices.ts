import type { Felt } from '@sotto/kernel';
import type { PriceObservation, PricedAsset } from '@sotto/relayer-core';
import { AggregatorMalformed } from './errors.js';
import { Prices } from './prices.schemas.js';
import { parseAs } from './upstream.js';

/** Address of each asset on the network of the profile; one without has no price here. */
export type PricedTokens = Readonly<Record<PricedAsset, Felt>>;

/**
 * The prices of the assets that were asked for, as far as there are any.
 * @param body parsed with `usd` as it was written
 * @throws AggregatorMalformed
 */
export function toObservations(
  body: unknown,
  assets: readonly PricedAsset[],
  tokens: PricedTokens,
  observedAtMs: number,
): readonly PriceObservation[] {
  const prices = parseAs(Prices, body);
  return assets.flatMap((asset) => {
    const [price, ...others] = prices.filter(({ address }) => address === tokens[asset]);
    if (others.length > 0)
      throw new AggregatorMalformed({
        message: 'the aggregator has several prices for one token',
        details: { asset },
      });
    const usdE8 = price?.globalMarket?.usd;
    return usdE8 === undefined || usdE8 === null || usdE8 === 0n
      ? []
      : [{ asset, usdE8, observedAtMs }];
  });
}
