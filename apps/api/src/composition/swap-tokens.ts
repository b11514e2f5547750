import type { PoolToken } from '@sotto/relayer-core';
import type { Settings } from '../config/settings.js';

/**
 * The tokens that the profile lets swap into and that both price sources are asked for; none where
 * there is only one source.
 */
export function swapTokens({
  network,
  prices,
}: Pick<Settings, 'network' | 'prices'>): readonly PoolToken[] {
  const { swapPool, tokens, oracle } = network;
  if (swapPool === undefined || prices.apiUrl === null) return [];
  return swapPool.outputTokens.flatMap((symbol) => {
    const token = tokens[symbol];
    return token === undefined || !(symbol in oracle.pairs) ? [] : [{ symbol, ...token }];
  });
}
