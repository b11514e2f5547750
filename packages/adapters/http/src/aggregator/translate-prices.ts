import { parseEach, type LeaveOut } from '@sotto/http-client';
import type { Felt } from '@sotto/kernel';
import type { PriceObservation, PricedAsset } from '@sotto/market-core';
import { Price, PriceList } from './prices.schemas.js';
import { malformedAt, parseAs } from './upstream.js';

/**
 * Address of each asset on the network of the profile. An asset without an address has no price
 * from this source.
 */
export type PricedTokens = Readonly<Record<PricedAsset, Felt>>;

/**
 * Requested tokens and time of the read, and the callback that is called for each unusable price.
 */
export interface PriceReader {
  readonly tokens: PricedTokens;
  readonly observedAtMs: number;
  readonly leaveOut: LeaveOut;
}

/**
 * Returns the prices of the requested assets. Each price is checked separately: unusable prices,
 * and tokens with several prices, are omitted and counted.
 * @param body parsed response with the exact digits of `usd`
 * @throws AggregatorMalformed if the body is no list or the list has no readable price
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
