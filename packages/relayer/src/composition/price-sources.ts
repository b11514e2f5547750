import { ImpulsePriceSource } from '@sotto/adapter-http/aggregator';
import { KrakenPriceSource } from '@sotto/adapter-http/exchange';
import type { PartnerFindings } from '@sotto/http-client';
import type { Clock } from '@sotto/kernel';
import type { Secret } from '@sotto/settings';
import type { Settings } from '../environment/settings.js';
import type { OtherPriceSource } from './bindings.js';
import type { PartnerName } from './partners.js';

type Sources = Pick<Settings, 'network' | 'prices'>;

interface SourceParts extends Pick<Sources, 'network'> {
  readonly url: string;
  readonly clock: Clock;
  readonly findings: { readonly findings?: PartnerFindings };
}

/** Configured source of market prices that is not the oracle. */
export interface ConfiguredPriceSource {
  readonly partner: PartnerName;
  /**
   * @param findings counts malformed elements of the source's replies; absent if prices are read
   *   only once
   */
  readonly open: (clock: Clock, findings?: PartnerFindings) => OtherPriceSource;
}

/**
 * Sources other than the oracle, in the sequence in which they are queried. To add a source, add
 * one entry to this list.
 */
const SOURCES: readonly {
  readonly partner: PartnerName;
  readonly urlIn: (prices: Settings['prices']) => Secret | null;
  readonly open: (parts: SourceParts) => OtherPriceSource;
}[] = [
  {
    partner: 'prices',
    urlIn: ({ apiUrl }) => apiUrl,
    open: ({ url, network, clock, findings }) => {
      const tokens = Object.fromEntries(
        Object.entries(network.tokens).map(([symbol, { address }]) => [symbol, address]),
      );
      return new ImpulsePriceSource({ url, tokens, ...findings }, clock);
    },
  },
  {
    partner: 'exchange',
    urlIn: ({ exchangeUrl }) => exchangeUrl,
    open: ({ url, clock, findings }) => new KrakenPriceSource({ url, ...findings }, clock),
  },
];

/** Returns the sources other than the oracle whose address is set. */
export function configuredPriceSources({
  network,
  prices,
}: Sources): readonly ConfiguredPriceSource[] {
  return SOURCES.flatMap(({ partner, urlIn, open }) => {
    const secret = urlIn(prices);
    if (secret === null) return [];
    return [
      {
        partner,
        open: (clock, findings) =>
          open({
            url: secret.reveal(),
            network,
            clock,
            findings: findings === undefined ? {} : { findings },
          }),
      },
    ];
  });
}
