import type { LoopbackUpstream } from '@sotto/http-client/testing';

/** Market names in the exchange's documentation: in requests, and in responses. */
const MARKETS = {
  STRK: ['STRKUSD', 'STRKUSD'],
  WBTC: ['XBTUSD', 'XXBTZUSD'],
  ETH: ['ETHUSD', 'XETHZUSD'],
  USDC: ['USDCUSD', 'USDCUSD'],
  USDT: ['USDTUSD', 'USDTZUSD'],
} as const;
const USD_DECIMALS = 8;

interface Trade {
  readonly asset: string;
  readonly usdE8: bigint;
}

/** Returns a response of the exchange with these prices, by the market names of responses. */
export function tickerText(prices: Readonly<Record<string, string>>): string {
  const result = Object.fromEntries(
    Object.entries(prices).map(([key, price]) => [
      key,
      { a: [price, '1', '1.000'], b: [price, '1', '1.000'], c: [price, '0.5'], t: [1, 2] },
    ]),
  );
  return JSON.stringify({ error: [], result });
}

/**
 * Makes the upstream respond like the exchange, with the requested markets that exist.
 * @param delisted pairs that the exchange has renamed or removed
 */
export function startExchange(
  upstream: LoopbackUpstream,
  delisted: readonly string[] = [],
): {
  trade(trades: readonly Trade[]): void;
} {
  let prices: Readonly<Record<string, string>> = {};
  upstream.handler = (response, request) => {
    const { pathname, searchParams } = new URL(request.url ?? '', upstream.url);
    const pairs = new Set((searchParams.get('pair') ?? '').split(','));
    const requested = Object.values(MARKETS).filter(
      ([pair]) => pairs.has(pair) && !delisted.includes(pair),
    );
    if (pathname !== '/0/public/Ticker' || requested.length !== pairs.size) {
      response.end(JSON.stringify({ error: ['EQuery:Unknown asset pair'] }));
      return;
    }
    const trading = requested.flatMap(([, key]) =>
      prices[key] === undefined ? [] : [[key, prices[key]] as const],
    );
    response.end(tickerText(Object.fromEntries(trading)));
  };
  return {
    trade: (trades) => {
      prices = Object.fromEntries(
        trades.flatMap(({ asset, usdE8 }) => {
          const market = Object.entries(MARKETS).find(([name]) => name === asset)?.[1];
          return market === undefined ? [] : [[market[1], decimal(usdE8)]];
        }),
      );
    },
  };
}

function decimal(usdE8: bigint): string {
  const digits = String(usdE8).padStart(USD_DECIMALS + 1, '0');
  return `${digits.slice(0, -USD_DECIMALS)}.${digits.slice(-USD_DECIMALS)}`;
}
