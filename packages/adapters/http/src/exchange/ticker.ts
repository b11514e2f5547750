import { parseAnswer, parseJson, type LeaveOut } from '@sotto/http-client';
import { toUsdE8, type PriceObservation, type PricedAsset } from '@sotto/market-core';
import { z } from 'zod';
import { ExchangeMalformed, ExchangeUnavailable } from './errors.js';

/** Market of an asset against USD: its name in a request, and the names of its asset in answers. */
interface Market {
  readonly pair: string;
  readonly names: readonly string[];
}

/**
 * Markets by asset. WBTC has none here: that of BTC stands for it, so that sources disagree on a
 * WBTC that is worth less than BTC. Source: the exchange's list of asset pairs.
 */
const MARKETS: Readonly<Record<PricedAsset, Market>> = {
  STRK: { pair: 'STRKUSD', names: ['STRK'] },
  WBTC: { pair: 'XBTUSD', names: ['XBT', 'XXBT', 'BTC'] },
  ETH: { pair: 'ETHUSD', names: ['ETH', 'XETH'] },
  USDC: { pair: 'USDCUSD', names: ['USDC'] },
  USDT: { pair: 'USDTUSD', names: ['USDT'] },
};

/** Endings of a market against USD: `STRKUSD`, `XXBTZUSD` and, since the renaming, `BTC/USD`. */
const AGAINST_USD = ['/USD', 'ZUSD', 'USD'] as const;

/** Far more than is ever asked for. */
const MAX_MARKETS = 100;
const MAX_ERRORS = 100;
/** The exchange's words for a market that it does not have. It then answers none of the others. */
const UNKNOWN_PAIR = 'EQuery:Unknown asset pair';

const Price = z.string().transform((text, context): bigint => {
  const usdE8 = toUsdE8(text);
  if (usdE8 !== undefined && usdE8 > 0n) return usdE8;
  context.addIssue({ code: 'custom', message: 'not a price' });
  return z.NEVER;
});

/** `c` is the last trade: its price and its size. */
const Ticker = z.object({ c: z.tuple([Price], z.unknown()) });

const Answer = z.object({
  error: z.array(z.string()).max(MAX_ERRORS).nullish(),
  // Each market is parsed by itself.
  result: z.record(z.string(), z.unknown()).nullish(),
});

/** Names of the markets of these assets in a request. */
export function pairsOf(assets: readonly PricedAsset[]): readonly string[] {
  return assets.flatMap((asset) => MARKETS[asset]?.pair ?? []);
}

/** Reply to a request for tickers. */
export interface TickerReply {
  /** Markets by the name that the exchange gives them. */
  readonly markets: Readonly<Record<string, unknown>>;
  /** True if the exchange answers nothing because it does not have one of the markets. */
  readonly isPairUnknown: boolean;
}

/**
 * Reads a reply. A warning beside markets (`W…`) is no failure.
 * @throws ExchangeUnavailable when the exchange refuses the request, ExchangeMalformed
 */
export function toTickerReply(text: string): TickerReply {
  const { error, result } = parseAnswer(Answer, parseJson(text), malformedAt);
  const errors = (error ?? []).filter((words) => !words.startsWith('W'));
  const markets = result ?? {};
  const isPairUnknown = errors.includes(UNKNOWN_PAIR);
  if (isPairUnknown) return { markets: {}, isPairUnknown };
  if (errors.length > 0)
    throw new ExchangeUnavailable({ message: 'the exchange refuses the request' });
  if ((result ?? null) === null && (error ?? []).length === 0) throw malformedAt('result');
  if (Object.keys(markets).length > MAX_MARKETS)
    throw new ExchangeMalformed({ message: 'the exchange has more markets than were requested' });
  return { markets, isPairUnknown };
}

/**
 * Prices of the requested assets. A market with an unknown name or an unusable price is left out
 * and counted, as is an asset with two markets whose prices differ.
 */
export function toObservations(
  markets: Readonly<Record<string, unknown>>,
  assets: readonly PricedAsset[],
  { observedAtMs, leaveOut }: { readonly observedAtMs: number; readonly leaveOut: LeaveOut },
): readonly PriceObservation[] {
  const prices = new Map<PricedAsset, Set<bigint>>();
  for (const [name, market] of Object.entries(markets)) {
    const asset = assets.find((each) => isMarketOf(each, name));
    const ticker = Ticker.safeParse(market);
    if (asset === undefined) leaveOut(`market ${publicName(name)}`);
    else if (!ticker.success) leaveOut(`price of ${asset}`);
    else prices.set(asset, new Set([...(prices.get(asset) ?? []), ticker.data.c[0]]));
  }
  return assets.flatMap((asset) => {
    const [usdE8, ...others] = prices.get(asset) ?? [];
    if (usdE8 === undefined) return [];
    if (others.length === 0) return [{ asset, usdE8, observedAtMs }];
    leaveOut(`prices of ${asset}`);
    return [];
  });
}

function isMarketOf(asset: PricedAsset, name: string): boolean {
  const names = MARKETS[asset]?.names ?? [];
  return names.some((base) => AGAINST_USD.some((end) => name === `${base}${end}`));
}

/** A name that a log line can hold. */
function publicName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9./]/g, '').slice(0, 20);
}

function malformedAt(at: string): ExchangeMalformed {
  return new ExchangeMalformed({
    message: 'the exchange answers what its interface does not allow',
    details: { at },
  });
}
