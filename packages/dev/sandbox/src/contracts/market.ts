import type { GenesisContract } from '../engine/genesis.js';
import { exchange, setRate, type Rate } from './exchange.js';
import type { OraclePrice } from './price-oracle.js';
import { exchangeKey, router } from './router.js';
import { recordStorage } from './storage.js';
import { sandboxWorld, type SandboxToken } from './world.js';

/** Returns the pair under which the oracle stores the price of a token. */
export function usdPairOf(token: SandboxToken): string {
  return `${token.symbol}/USD`;
}

/**
 * Builds the router and the exchanges. The rates between all tokens are computed from their prices.
 * A token without a price has no market.
 */
export function market(prices: Readonly<Record<string, OraclePrice>>): GenesisContract[] {
  const exchanges = Object.values(sandboxWorld.exchanges);
  const known = Object.fromEntries(exchanges.map(({ address }) => [exchangeKey(address), 1n]));
  const rates = ratesBetween(Object.values(sandboxWorld.tokens), prices);
  return [
    { address: sandboxWorld.router, model: router, storage: known },
    ...exchanges.map(({ address, feeBps }) => ({
      address,
      model: exchange({ feeBps }),
      storage: rates,
    })),
  ];
}

/** Returns the initial storage of an exchange, with the rates between these tokens. */
export function ratesBetween(
  tokens: readonly SandboxToken[],
  prices: Readonly<Record<string, OraclePrice>>,
): Record<string, bigint> {
  const storage: Record<string, bigint> = {};
  for (const sell of tokens) {
    for (const buy of tokens) {
      const rate = sell === buy ? undefined : rateBetween(sell, buy, prices);
      if (rate !== undefined) setRate(recordStorage(storage), sell.address, buy.address, rate);
    }
  }
  return storage;
}

/**
 * Returns the rate as a ratio of integers. So a rate between tokens of 6 and of 18 decimals needs
 * no rounding.
 */
function rateBetween(
  sell: SandboxToken,
  buy: SandboxToken,
  prices: Readonly<Record<string, OraclePrice>>,
): Rate | undefined {
  const sellPrice = prices[usdPairOf(sell)];
  const buyPrice = prices[usdPairOf(buy)];
  if (
    sellPrice === undefined ||
    buyPrice === undefined ||
    sellPrice.price === 0n ||
    buyPrice.price === 0n
  )
    return undefined;
  return {
    sellAmount: buyPrice.price * 10n ** BigInt(sellPrice.decimals + sell.decimals),
    buyAmount: sellPrice.price * 10n ** BigInt(buyPrice.decimals + buy.decimals),
  };
}
