import { createUpstream, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import { systemClock, type Clock } from '@sotto/kernel';
import type { PriceObservation, PriceSource, PricedAsset } from '@sotto/market-core';
import { ExchangeMalformed, ExchangeTimedOut, ExchangeUnavailable } from './errors.js';
import { pairsOf, toObservations, toTickerReply, type TickerReply } from './ticker.js';

interface TimedReply extends TickerReply {
  readonly observedAtMs: number;
}

const TRAITS = {
  name: 'the exchange',
  timeoutMs: 5_000,
  maxAttempts: 2,
  /** Maximum size of a response in bytes. The data of one market needs half a kilobyte. */
  maxResponseBytes: 256 * 1_024,
  errors: {
    TimedOut: ExchangeTimedOut,
    Unavailable: ExchangeUnavailable,
    Malformed: ExchangeMalformed,
  },
};

/**
 * Reads the prices of the last trades from Kraken's public interface, all assets in one request.
 * The interface reports no trade times. So the observation time is the `Date` header of the
 * response, or the time of our clock if there is no such header.
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
    const pairs = pairsOf(assets);
    if (pairs.length === 0) return [];
    const replies = await this.#replies(pairs);
    const observed = replies.flatMap(({ markets, observedAtMs }) =>
      toObservations(markets, assets, { observedAtMs, leaveOut: this.#http.leaveOut }),
    );
    if (observed.length === 0 && replies.some(({ markets }) => Object.keys(markets).length > 0))
      throw new ExchangeMalformed({ message: 'the exchange has no usable market' });
    return observed;
  }

  /**
   * Requests all markets at once. If the exchange rejects the request because one market is
   * unknown, requests each market separately.
   */
  async #replies(pairs: readonly string[]): Promise<readonly TimedReply[]> {
    const reply = await this.#query(pairs);
    if (!reply.isPairUnknown) return [reply];
    if (pairs.length > 1)
      return (await Promise.all(pairs.map((pair) => this.#replies([pair])))).flat();
    this.#http.leaveOut(`unknown market ${pairs.join()}`);
    return [];
  }

  async #query(pairs: readonly string[]): Promise<TimedReply> {
    const params = { pair: pairs.join(',') };
    const { text, dateMs } = await this.#http.get({ path: '0/public/Ticker', params });
    return { ...toTickerReply(text), observedAtMs: dateMs ?? this.#clock.nowMs() };
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }
}
