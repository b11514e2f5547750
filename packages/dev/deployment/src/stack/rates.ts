import { TOKENS, type TokenSymbol } from './description.js';

/** So many sell units for so many buy units, in both tokens' smallest units. */
export interface Rate {
  readonly sell: TokenSymbol;
  readonly buy: TokenSymbol;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/**
 * Rates between all tokens as they follow from their prices: ratios of integers, so nothing is lost
 * to rounding.
 */
export function ratesBetweenTokens(): readonly Rate[] {
  const tokens = Object.values(TOKENS);
  return tokens.flatMap((sell) =>
    tokens
      .filter((buy) => buy !== sell)
      .map((buy) => ({
        sell: sell.symbol,
        buy: buy.symbol,
        sellAmount: buy.usdPrice.price * 10n ** BigInt(sell.usdPrice.decimals + sell.decimals),
        buyAmount: sell.usdPrice.price * 10n ** BigInt(buy.usdPrice.decimals + buy.decimals),
      })),
  );
}
