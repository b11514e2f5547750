import { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { Clock } from '@sotto/kernel';
import { purchasedWith } from '@sotto/network-profile';
import { MarketPrices, type PricedAsset } from '@sotto/market-core';
import type { Settings } from '../environment/settings.js';
import { OraclePrices, OtherPriceSource, PriceSources } from './bindings.js';
import { AppModule, assemble, every } from './container.js';
import { Partners } from './partners.js';
import { configuredPriceSources } from './price-sources.js';

/** Time in ms after which prices are requested again. The age of a price is checked separately. */
const PRICES_TTL_MS = 5_000;
/**
 * Assets whose prices are always read. The API returns WBTC's price even if no pool contains WBTC.
 * The other assets are pools' tokens or pay for gas. Output tokens of swaps are added to this list.
 */
const ASSETS: readonly PricedAsset[] = ['STRK', 'WBTC', 'USDC'];

/**
 * Binds market prices. The oracle is the first source, and the other sources follow. Also binds the
 * aggregator of swaps, if the settings name one.
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
    const { maxAgeMs, maxDeviationBps, quorum } = prices;
    // Notes of the swap pool can be withdrawn even if swaps are disabled now. The fee of such a
    // withdrawal is paid in the note's token.
    const bought = network.swapPool?.outputTokens ?? [];
    const feeTokens = network.privacyPool?.feeTokens ?? [];
    const sold = (keeper.tasks.includes('purchases') ? purchasedWith(network) : []).map(
      ({ symbol }) => symbol,
    );
    for (const { partner, open } of configuredPriceSources({ network, prices }))
      bind(OtherPriceSource)
        .toResolvedValue((partners, clock) => open(clock, partners.of(partner)), [Partners, Clock])
        .inSingletonScope()
        .onDeactivation((source) => source.close());
    assemble(
      bind(PriceSources),
      { oracle: OraclePrices, others: every(OtherPriceSource) },
      ({ oracle, others }) => ({ all: [oracle, ...others] }),
    );
    bind(MarketPrices).toResolvedValue(
      ({ all: sources }, clock) =>
        new MarketPrices(sources, clock, {
          assets: [
            ...new Set([
              ...ASSETS,
              ...bought,
              ...feeTokens,
              ...sold,
              ...keeper.treasury.conversions.keys(),
            ]),
          ],
          limits: { maxAgeMs, maxDeviationBps, quorum },
          ttlMs: PRICES_TTL_MS,
        }),
      [PriceSources, Clock],
    );
  });
