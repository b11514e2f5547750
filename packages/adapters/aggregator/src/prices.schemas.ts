import { toUsdE8 } from '@sotto/relayer-core';
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

const Price = z.object({
  address: WireAddress,
  /**
   * Of all markets; that of Starknet's own exchanges beside it is thinner and can be moved by a
   * few.
   */
  globalMarket: z.object({ usd: UsdE8.nullish() }).nullish(),
});

/** Answer to a request for prices, with `usd` as it was written. */
export const Prices = z.array(Price).max(MAX_PRICES);

/** A price of one moment; `1D` has one for each day, at its beginning. */
const PricePoint = z.object({
  date: z.union([z.iso.date(), z.iso.datetime()]).transform((text) => Date.parse(text)),
  valueUsd: UsdE8.nullish(),
});
export type PricePoint = z.infer<typeof PricePoint>;

/** Answer to a request for so many days, with `valueUsd` as it was written, in ascending order. */
export function pricePoints(days: number): z.ZodType<readonly PricePoint[]> {
  return z
    .array(PricePoint)
    .max(days + MORE_POINTS)
    .refine((points) =>
      points.every(({ date }, index) => index === 0 || date > (points[index - 1]?.date ?? date)),
    );
}
