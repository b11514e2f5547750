import type { Logger } from '@sotto/kernel';
import type { FairValues } from './fair-values.js';

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
