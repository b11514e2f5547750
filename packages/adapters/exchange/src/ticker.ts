import { parseAnswer } from '@sotto/http-client';
import { toUsdE8, type PriceObservation, type PricedAsset } from '@sotto/relayer-core';
import { z } from 'zod';
import { ExchangeMalformed, ExchangeUnavailable } from './errors.js';

/** A market of an asset against USD: what is asked for, and how the answer names it. */
interface Market {
  readonly pair: string;
  readonly key: string;
}

/**
 * Markets by asset. WBTC has none here: that of BTC stands for it, so that sources disagree on a
 * WBTC that is worth less than BTC. Source: the exchange's list of asset pairs.
 */
const MARKETS: Readonly<Record<PricedAsset, Market>> = {
  STRK: { pair: 'STRKUSD', key: 'STRKUSD' },
  WBTC: { pair: 'XBTUSD', key: 'XXBTZUSD' },
  ETH: { pair: 'ETHUSD', key: 'XETHZUSD' },
  USDC: { pair: 'USDCUSD', key: 'USDCUSD' },
  USDT: { pair: 'USDTUSD', key: 'USDTZUSD' },
};

/** Far more than is ever asked for. */
const MAX_MARKETS = 100;
const MAX_ERRORS = 100;

const Price = z.string().transform((text, context): bigint => {
  const usdE8 = toUsdE8(text);
  if (usdE8 !== undefined && usdE8 > 0n) return usdE8;
  context.addIssue({ code: 'custom', message: 'not a price' });
  return z.NEVER;
});

/** `c` is the last trade: its price and its size. */
const Ticker = z.object({ c: z.tuple([Price], z.unknown()) });

const Answer = z.object({
  error: z.array(z.string()).max(MAX_ERRORS),
  result: z.record(z.string(), Ticker).optional(),
});

/** The markets to ask for; null when none of the assets has one. */
export function pairsOf(assets: readonly PricedAsset[]): string | null {
  const pairs = assets.flatMap((asset) => MARKETS[asset]?.pair ?? []);
  return pairs.length === 0 ? null : pairs.join(',');
}

/**
 * The prices of the assets that were asked for.
 * @throws ExchangeUnavailable when the exchange refuses the question, ExchangeMalformed
 */
export function toObservations(
  text: string,
  assets: readonly PricedAsset[],
  observedAtMs: number,
): readonly PriceObservation[] {
  const { error, result = {} } = parseAnswer(
    Answer,
    parseJson(text),
    (at) =>
      new ExchangeMalformed({
        message: 'the exchange answers what its interface does not allow',
        details: { at },
      }),
  );
  if (error.length > 0)
    throw new ExchangeUnavailable({ message: 'the exchange refuses the question' });
  if (Object.keys(result).length > MAX_MARKETS)
    throw new ExchangeMalformed({ message: 'the exchange has more markets than were asked for' });
  return assets.flatMap((asset) => {
    const market = MARKETS[asset];
    const ticker = market === undefined ? undefined : (result[market.key] ?? result[market.pair]);
    return ticker === undefined ? [] : [{ asset, usdE8: ticker.c[0], observedAtMs }];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
