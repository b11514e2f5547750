import type { Felt, Logger } from '@sotto/kernel';
import { fairValue, higherValue, type FairValue } from '../domain/fair-value.js';
import type { PoolToken } from '../domain/priced-token.js';
import { OutputTokenNotSupported } from '../errors.js';
import type { MarketPrices } from './market-prices.js';

/**
 * Logs a warning that lists the ERC-20 tokens of the profile that do not have two independent
 * prices. These tokens can't be bought in a swap.
 */
export async function warnOfUnpricedTokens(
  wanted: readonly string[],
  fairValues: Pick<FairValues, 'offered'>,
  logger: Logger,
): Promise<void> {
  const offered = new Set((await fairValues.offered()).map(({ symbol }) => symbol));
  const tokens = wanted.filter((symbol) => !offered.has(symbol));
  if (tokens.length === 0) return;
  logger.warn(
    { tokens: tokens.join(', ') },
    'these output tokens lack two independent prices (oracle and PRICE_API_URL): swaps into them are not offered',
  );
}

/**
 * Computes the fair value of a swap at market prices. These prices do not come from the aggregator
 * that quotes the swap.
 */
export class FairValues {
  /** @param outputTokens ERC-20 tokens that may be bought, provided that they have two prices */
  constructor(
    private readonly marketPrices: Pick<MarketPrices, 'pairsOf' | 'withTwoPrices'>,
    private readonly outputTokens: readonly PoolToken[],
  ) {}

  /** Returns the ERC-20 tokens that may be bought because they have two independent prices. */
  async offered(): Promise<readonly PoolToken[]> {
    const priced = await this.marketPrices.withTwoPrices(
      this.outputTokens.map(({ symbol }) => symbol),
    );
    return this.outputTokens.filter(({ symbol }) => priced.has(symbol));
  }

  /**
   * Returns the value of an amount in units of the bought ERC-20 token: the highest of the values
   * at the prices of at least two sources.
   * @throws OutputTokenNotSupported if the bought token is not among the offered tokens.
   * @throws PriceUnavailable if a price is missing, too old or disputed now.
   */
  async of(sold: PoolToken, amount: bigint, bought: Felt): Promise<FairValue> {
    const token = (await this.offered()).find(({ address }) => address === bought);
    if (token === undefined) throw new OutputTokenNotSupported();
    const pairs = await this.marketPrices.pairsOf(sold.symbol, token.symbol);
    return pairs
      .map((pair) => fairValue({ amount, decimals: sold.decimals }, token.decimals, pair))
      .reduce(higherValue);
  }
}
