import { createUpstream, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import { systemClock, type Clock } from '@sotto/kernel';
import type { PriceObservation, PriceSource, PricedAsset } from '@sotto/relayer-core';
import { ExchangeMalformed, ExchangeTimedOut, ExchangeUnavailable } from './errors.js';
import { pairsOf, toObservations } from './ticker.js';

const TRAITS = {
  name: 'the exchange',
  timeoutMs: 5_000,
  maxAttempts: 2,
  /** A market takes half a kilobyte. */
  maxResponseBytes: 256 * 1_024,
  errors: {
    TimedOut: ExchangeTimedOut,
    Unavailable: ExchangeUnavailable,
    Malformed: ExchangeMalformed,
  },
};

/**
 * Last trades of an exchange, as Kraken's public interface has them, all assets in one request. It
 * names no times: what is observed is observed when the answer was made, by the exchange's clock
 * or, if it gives no date, by ours.
 */
export class KrakenPriceSource implements PriceSource {
  readonly name = 'kraken';
  readonly #http: Upstream;
  readonly #clock: Clock;

  constructor(settings: UpstreamSettings, clock: Clock = systemClock) {
    this.#http = createUpstream(TRAITS, settings);
    this.#clock = clock;
  }

  async observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]> {
    const pair = pairsOf(assets);
    if (pair === null) return [];
    const { text, dateMs } = await this.#http.get({ path: '0/public/Ticker', params: { pair } });
    return toObservations(text, assets, dateMs ?? this.#clock.nowMs());
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }
}
