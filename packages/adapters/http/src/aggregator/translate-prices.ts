import { parseEach, type LeaveOut } from '@sotto/http-client';
import type { Felt } from '@sotto/kernel';
import type { PriceObservation, PricedAsset } from '@sotto/market-core';
import { Price, PriceList } from './prices.schemas.js';
import { malformedAt, parseAs } from './upstream.js';

/** Address of each asset on the network of the profile; one without has no price here. */
export type PricedTokens = Readonly<Record<PricedAsset, Felt>>;

/** Tokens and time of the observations, and the receiver of unusable prices. */
export interface PriceReader {
  readonly tokens: PricedTokens;
  readonly observedAtMs: number;
  readonly leaveOut: LeaveOut;
}

/**
 * Prices of the requested assets, each judged by itself: an unusable one, and a token with several
 * prices, is left out and counted.
 * @param body parsed with `usd` as it was written
 * @throws AggregatorMalformed for no list, and for a list without any readable price
 */
export function toObservations(
  body: unknown,
  assets: readonly PricedAsset[],
  { tokens, observedAtMs, leaveOut }: PriceReader,
): readonly PriceObservation[] {
  const prices = parseEach(Price, parseAs(PriceList, body), { leaveOut, malformedAt });
  return assets.flatMap((asset) => {
    const [price, ...others] = prices.filter(({ address }) => address === tokens[asset]);
    if (others.length > 0) {
      leaveOut(`prices of ${asset}`);
      return [];
    }
    const usdE8 = price?.globalMarket?.usd ?? 0n;
    return usdE8 === 0n ? [] : [{ asset, usdE8, observedAtMs }];
  });
}
