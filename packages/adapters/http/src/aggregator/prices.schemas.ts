import { absentAsNull } from '@sotto/http-client';
import { toUsdE8 } from '@sotto/market-core';
import { z } from 'zod';
import { WireAddress } from './aggregator.schemas.js';
import { JsonNumber } from './json.js';

/** Maximum number of prices in a response, far more than are ever requested. */
const MAX_PRICES = 100;
/**
 * Maximum number of points in a response in addition to the requested days: the adjacent days and
 * the current price.
 */
const MORE_POINTS = 3;

/** Schema of a price, rounded down to 1e-8 USD. The result may therefore be 0. */
const UsdE8 = z.instanceof(JsonNumber).transform(({ text }, context): bigint => {
  const usdE8 = toUsdE8(text);
  if (usdE8 !== undefined) return usdE8;
  context.addIssue({ code: 'custom', message: 'not a price' });
  return z.NEVER;
});

/** Schema of an optional price. Null, `{ value: null }` and an absent field are equivalent. */
const OptionalUsdE8 = z.preprocess(absentAsNull, UsdE8.nullable()).default(null);

/** Price of one token, with the exact digits of `usd`. */
export const Price = z.object({
  address: WireAddress,
  /**
   * Price over all markets. Starknet's own exchanges alone have little volume, so their prices are
   * easy to manipulate.
   */
  globalMarket: z
    .preprocess(absentAsNull, z.object({ usd: OptionalUsdE8 }).nullable())
    .default(null),
});

/** Response to a request for prices. Each price is parsed separately later. */
export const PriceList = z.array(z.unknown()).max(MAX_PRICES);

/**
 * Price at one time. At resolution `1D` there is one point per day, dated at the day's beginning.
 */
export const PricePoint = z.object({
  date: z.union([z.iso.date(), z.iso.datetime()]).transform((text) => Date.parse(text)),
  valueUsd: OptionalUsdE8,
});
export type PricePoint = z.infer<typeof PricePoint>;

/**
 * Returns the schema of a response to a request for this many days. Each point is parsed separately
 * later.
 */
export function pricePoints(days: number): z.ZodType<readonly unknown[]> {
  return z.array(z.unknown()).max(days + MORE_POINTS);
}
