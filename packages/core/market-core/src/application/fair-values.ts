import type { Felt, Logger } from '@sotto/kernel';
import { fairValue, higherValue, type FairValue } from '../domain/fair-value.js';
import type { PoolToken } from '../domain/priced-token.js';
import { OutputTokenNotSupported } from '../errors.js';
import type { MarketPrices } from './market-prices.js';

/**
 * Says which tokens of the profile can't be swapped into because they have not two independent
 * prices.
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
    'these output tokens have not two independent prices (the oracle’s and that of PRICE_API_URL): no swap into them is offered',
  );
}

/** What a swap brings, at market prices that do not come from who quotes it. */
export class FairValues {
  /** @param outputTokens that may be swapped into, if they have prices */
  constructor(
    private readonly marketPrices: Pick<MarketPrices, 'pairsOf' | 'withTwoPrices'>,
    private readonly outputTokens: readonly PoolToken[],
  ) {}

  /** The tokens that are swapped into: those with two independent prices. */
  async offered(): Promise<readonly PoolToken[]> {
    const priced = await this.marketPrices.withTwoPrices(
      this.outputTokens.map(({ symbol }) => symbol),
    );
    return this.outputTokens.filter(({ symbol }) => priced.has(symbol));
  }

  /**
   * The value of an amount in another token: the highest that one of at least two sources sees.
   * @throws OutputTokenNotSupported for a token that is not offered.
   * @throws PriceUnavailable when a price is missing now, too old, or disagreed on.
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
