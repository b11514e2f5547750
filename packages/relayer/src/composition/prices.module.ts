import { HttpSwapAggregator, ImpulsePriceSource } from '@sotto/adapter-http/aggregator';
import { KrakenPriceSource } from '@sotto/adapter-http/exchange';
import { Clock } from '@sotto/kernel';
import { purchasedWith } from '@sotto/network-profile';
import { MarketPrices, PriceSource, type PricedAsset } from '@sotto/market-core';
import type { Settings } from '../environment/settings.js';
import { OraclePrices, PriceSources } from './bindings.js';
import { AppModule, assemble, every } from './container.js';
import { apiPrices, exchangePrices } from './factories.js';
import { Partners } from './partners.js';

/** Prices are asked for again after so long; their own age is judged apart from this. */
const PRICES_TTL_MS = 5_000;
/**
 * The API returns WBTC's price even where no pool holds it; the others are pools' tokens or pay
 * gas. Output tokens of swaps are added to these.
 */
const ASSETS: readonly PricedAsset[] = ['STRK', 'WBTC', 'USDC'];

/**
 * Market prices, the oracle's first, other sources' beside them; and the aggregator of swaps,
 * where there is one.
 */
export const pricesModule = ({
  network,
  prices,
  aggregator,
  keeper,
}: Pick<Settings, 'network' | 'prices' | 'aggregator' | 'keeper'>): AppModule =>
  new AppModule(({ bind }) => {
    if (aggregator !== null)
      bind(HttpSwapAggregator)
        .toResolvedValue(
          (partners, clock) => {
            const { url, protocol } = aggregator;
            const findings = partners.of('aggregator');
            return new HttpSwapAggregator({ url: url.reveal(), protocol, findings }, clock);
          },
          [Partners, Clock],
        )
        .inSingletonScope()
        .onDeactivation((client) => client.close());
    const { maxAgeMs, maxDeviationBps, quorum, apiUrl, exchangeUrl } = prices;
    // Notes of the swap pool are withdrawn even where nothing is swapped any more, and their fees
    // are paid in their own tokens.
    const bought = network.swapPool?.outputTokens ?? [];
    const sold = (keeper.tasks.includes('purchases') ? purchasedWith(network) : []).map(
      ({ symbol }) => symbol,
    );
    if (apiUrl !== null) {
      bind(ImpulsePriceSource)
        .toResolvedValue(
          (partners, clock) => apiPrices(apiUrl, { network }, clock, partners.of('prices')),
          [Partners, Clock],
        )
        .inSingletonScope()
        .onDeactivation((source) => source.close());
      bind(PriceSource).toResolvedValue((source) => source, [ImpulsePriceSource]);
    }
    if (exchangeUrl !== null) {
      bind(KrakenPriceSource)
        .toResolvedValue(
          (partners, clock) => exchangePrices(exchangeUrl, clock, partners.of('exchange')),
          [Partners, Clock],
        )
        .inSingletonScope()
        .onDeactivation((source) => source.close());
      bind(PriceSource).toResolvedValue((source) => source, [KrakenPriceSource]);
    }
    assemble(
      bind(PriceSources),
      { oracle: OraclePrices, others: every(PriceSource) },
      ({ oracle, others }) => ({ all: [oracle, ...others] }),
    );
    bind(MarketPrices).toResolvedValue(
      ({ all: sources }, clock) =>
        new MarketPrices(sources, clock, {
          assets: [
            ...new Set([...ASSETS, ...bought, ...sold, ...keeper.treasury.conversions.keys()]),
          ],
          limits: { maxAgeMs, maxDeviationBps, quorum },
          ttlMs: PRICES_TTL_MS,
        }),
      [PriceSources, Clock],
    );
  });
