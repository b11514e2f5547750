import { ImpulsePriceSource } from '@sotto/adapter-aggregator';
import { Clock } from '@sotto/kernel';
import { MarketPrices, PriceSources, type PriceSource, type PricedAsset } from '@sotto/relayer-core';
import type { Settings } from '../config/settings.js';
import { MarketPricesToken, OraclePricesToken, PriceApiToken } from './bindings.js';
import { AppModule } from './container.js';
import { WellPublishedPrices } from './well-published-prices.js';

/** Prices are asked for again after so long; their own age is judged apart from this. */
const PRICES_TTL_MS = 5_000;
/** WBTC's price is told even where no pool holds it, and the others are pools' tokens or pay gas. */
const ASSETS: readonly PricedAsset[] = ['STRK', 'WBTC', 'USDC'];
/** Of any source; the oracle has a setting of its own, and nobody else says how many stand behind its prices. */
const ONE_PUBLISHER = 1;

/** Market prices: the oracle's come first, the second source's beside them. */
export const pricesModule = ({ network, prices }: Pick<Settings, 'network' | 'prices'>): AppModule =>
  new AppModule(({ bind }) => {
    const { maxAgeMs, maxDeviationBps, minPublishers, quorum, apiUrl } = prices;
    if (apiUrl !== null) {
      const { STRK, WBTC, USDC } = network.tokens;
      const tokens = { STRK: STRK.address, WBTC: WBTC.address, USDC: USDC.address };
      bind(PriceApiToken)
        .toResolvedValue((clock: Clock) => new ImpulsePriceSource({ url: apiUrl.reveal(), tokens }, clock), [Clock])
        .inSingletonScope()
        .onDeactivation((source) => source.close());
    }
    const oracleFirst = (oracle: PriceSource, ...others: readonly PriceSource[]): readonly PriceSource[] => [
      new WellPublishedPrices(oracle, minPublishers),
      ...others,
    ];
    if (apiUrl === null) bind(PriceSources).toResolvedValue((oracle: PriceSource) => oracleFirst(oracle), [OraclePricesToken]);
    else {
      const tokens = [OraclePricesToken, PriceApiToken] as const;
      bind(PriceSources).toResolvedValue((oracle: PriceSource, second: PriceSource) => oracleFirst(oracle, second), [...tokens]);
    }
    bind(MarketPricesToken).toResolvedValue(
      (sources: readonly PriceSource[], clock: Clock) =>
        new MarketPrices(sources, clock, {
          assets: ASSETS,
          limits: { maxAgeMs, maxDeviationBps, minPublishers: ONE_PUBLISHER, quorum },
          ttlMs: PRICES_TTL_MS,
        }),
      [PriceSources, Clock],
    );
  });
