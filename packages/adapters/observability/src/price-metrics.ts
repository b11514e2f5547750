import type { MarketPrices } from '@sotto/market-core';
import type { Metrics } from '@sotto/telemetry';

export interface PriceLabels {
  /** Names of the price sources. */
  readonly sources: readonly string[];
  readonly assets: readonly string[];
}

/** Exposes for each price source whether it is usable, and the age of its last prices. */
export function priceMetrics(
  metrics: Metrics,
  prices: Pick<MarketPrices, 'sources'>,
  { sources, assets }: PriceLabels,
): void {
  metrics.gauge<{ source: string[] }>(
    {
      name: 'sotto_price_source_up',
      help: '1 for a price source that answered with a price that is not too old, 0 for another.',
      labels: { source: [...sources] },
    },
    async () =>
      prices.sources().map(({ source, isUsable }) => ({
        labels: { source },
        value: Number(isUsable),
      })),
  );
  metrics.gauge<{ source: string[]; asset: string[] }>(
    {
      name: 'sotto_price_age_seconds',
      help: 'Age of the price that a source gave last, by its own time.',
      labels: { source: [...sources], asset: [...assets] },
    },
    async () =>
      prices
        .sources()
        .flatMap(({ source, ages }) =>
          ages.map(({ asset, ageMs }) => ({ labels: { source, asset }, value: ageMs / 1_000 })),
        ),
  );
}
