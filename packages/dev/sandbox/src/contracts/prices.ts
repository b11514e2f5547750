import type { OraclePrice } from './price-oracle.js';

/**
 * Default oracle prices by pair: realistic round figures with the real oracle's number of decimals.
 */
export const DEFAULT_PRICES: Readonly<Record<string, OraclePrice>> = {
  'BTC/USD': livePrice(100_000n * 10n ** 8n, 8),
  'WBTC/USD': livePrice(100_000n * 10n ** 8n, 8),
  'ETH/USD': livePrice(3_500n * 10n ** 8n, 8),
  'STRK/USD': livePrice(4_000_000n, 8),
  'USDC/USD': livePrice(1_000_000n, 6),
};

function livePrice(price: bigint, decimals: number): OraclePrice {
  return { price, decimals, lastUpdatedTimestampSeconds: 'live', numSources: 10 };
}
