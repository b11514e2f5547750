import { parseAnswer, parseJson, type LeaveOut } from '@sotto/http-client';
import { toUsdE8, type PriceObservation, type PricedAsset } from '@sotto/market-core';
import { z } from 'zod';
import { ExchangeMalformed, ExchangeUnavailable } from './errors.js';

/**
 * Market of an asset against USD: the market's name in a request, and the names of the asset in the
 * market names of responses.
 */
interface Market {
  readonly pair: string;
  readonly names: readonly string[];
}

/**
 * Markets by asset. WBTC uses the market of BTC, so that sources disagree if WBTC is worth less
 * than BTC. Source: the exchange's list of asset pairs.
 */
const MARKETS: Readonly<Record<PricedAsset, Market>> = {
  STRK: { pair: 'STRKUSD', names: ['STRK'] },
  WBTC: { pair: 'XBTUSD', names: ['XBT', 'XXBT', 'BTC'] },
  ETH: { pair: 'ETHUSD', names: ['ETH', 'XETH'] },
  USDC: { pair: 'USDCUSD', names: ['USDC'] },
  USDT: { pair: 'USDTUSD', names: ['USDT'] },
};

/**
 * Suffixes of market names in responses, for markets against USD: `STRKUSD`, `XXBTZUSD` and, since
 * the exchange renamed its markets, `BTC/USD`.
 */
const AGAINST_USD = ['/USD', 'ZUSD', 'USD'] as const;

/** Maximum number of markets in a response, far more than are ever requested. */
const MAX_MARKETS = 100;
const MAX_ERRORS = 100;
/** Error of the exchange for an unknown market. The response then contains no market at all. */
const UNKNOWN_PAIR = 'EQuery:Unknown asset pair';

const Price = z.string().transform((text, context): bigint => {
  const usdE8 = toUsdE8(text);
  if (usdE8 !== undefined && usdE8 > 0n) return usdE8;
  context.addIssue({ code: 'custom', message: 'not a price' });
  return z.NEVER;
});

/** Schema of a market's data; `c` contains price and size of the last trade. */
const Ticker = z.object({ c: z.tuple([Price], z.unknown()) });

const Answer = z.object({
  error: z.array(z.string()).max(MAX_ERRORS).nullish(),
  // Each market is parsed separately.
  result: z.record(z.string(), z.unknown()).nullish(),
});

/** Returns the names of these assets' markets for a request. */
export function pairsOf(assets: readonly PricedAsset[]): readonly string[] {
  return assets.flatMap((asset) => MARKETS[asset]?.pair ?? []);
}

/** Parsed reply to a request for tickers. */
export interface TickerReply {
  /** Data of each market, by the name of the market at the exchange. */
  readonly markets: Readonly<Record<string, unknown>>;
  /** True if the exchange returned no market because a requested market is unknown. */
  readonly isPairUnknown: boolean;
}

/**
 * Reads a reply. If the reply contains markets, a warning (`W…`) is not a failure.
 * @throws ExchangeUnavailable if the exchange rejects the request, ExchangeMalformed
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
 * Returns the prices of the requested assets. Markets with an unknown name or an unusable price are
 * omitted and counted, as are assets with two different prices.
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

/** Returns a name that is safe in a log line. */
function publicName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9./]/g, '').slice(0, 20);
}

function malformedAt(at: string): ExchangeMalformed {
  return new ExchangeMalformed({
    message: 'the exchange’s answer violates its interface',
    details: { at },
  });
}
