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

  /** One reply; if the exchange refuses all markets for an unknown one, one of each market. */
  async #replies(pairs: readonly string[]): Promise<readonly TimedReply[]> {
    const reply = await this.#ask(pairs);
    if (!reply.isPairUnknown) return [reply];
    if (pairs.length > 1)
      return (await Promise.all(pairs.map((pair) => this.#replies([pair])))).flat();
    this.#http.leaveOut(`unknown market ${pairs.join()}`);
    return [];
  }

  async #ask(pairs: readonly string[]): Promise<TimedReply> {
    const params = { pair: pairs.join(',') };
    const { text, dateMs } = await this.#http.get({ path: '0/public/Ticker', params });
    return { ...toTickerReply(text), observedAtMs: dateMs ?? this.#clock.nowMs() };
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }
}
