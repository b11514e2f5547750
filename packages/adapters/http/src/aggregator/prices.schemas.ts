import { absentAsNull } from '@sotto/http-client';
import { toUsdE8 } from '@sotto/market-core';
import { z } from 'zod';
import { WireAddress } from './aggregator.schemas.js';
import { JsonNumber } from './json.js';

/** Far more than is ever asked for. */
const MAX_PRICES = 100;
/** The day before or after those that were asked for, and the price of now. */
const MORE_POINTS = 3;

/** Rounded down to 1e-8 USD, so it may be 0. */
const UsdE8 = z.instanceof(JsonNumber).transform(({ text }, context): bigint => {
  const usdE8 = toUsdE8(text);
  if (usdE8 !== undefined) return usdE8;
  context.addIssue({ code: 'custom', message: 'not a price' });
  return z.NEVER;
});

/** Null, `{ value: null }` and absent are the same. */
const OptionalUsdE8 = z.preprocess(absentAsNull, UsdE8.nullable()).default(null);

/** One token's price, with `usd` as it was written. */
export const Price = z.object({
  address: WireAddress,
  /**
   * Of all markets; that of Starknet's own exchanges beside it is thinner and can be moved by a
   * few.
   */
  globalMarket: z
    .preprocess(absentAsNull, z.object({ usd: OptionalUsdE8 }).nullable())
    .default(null),
});

/** Answer to a request for prices; each is parsed by itself. */
export const PriceList = z.array(z.unknown()).max(MAX_PRICES);

/** A price of one moment; `1D` has one for each day, at its beginning. */
export const PricePoint = z.object({
  date: z.union([z.iso.date(), z.iso.datetime()]).transform((text) => Date.parse(text)),
  valueUsd: OptionalUsdE8,
});
export type PricePoint = z.infer<typeof PricePoint>;

/** Answer to a request for this many days; each point is parsed by itself. */
export function pricePoints(days: number): z.ZodType<readonly unknown[]> {
  return z.array(z.unknown()).max(days + MORE_POINTS);
}
