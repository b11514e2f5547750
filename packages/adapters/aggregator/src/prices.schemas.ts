import { z } from 'zod';
import { WireAddress } from './aggregator.schemas.js';
import { JsonNumber } from './json.js';
import { toUsdE8 } from './usd.js';

/** Far more than is ever asked for. */
const MAX_PRICES = 100;

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
