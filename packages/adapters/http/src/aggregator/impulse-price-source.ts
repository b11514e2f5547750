import type { Upstream, UpstreamSettings } from '@sotto/http-client';
import { systemClock, type Clock } from '@sotto/kernel';
import type { PriceObservation, PriceSource, PricedAsset } from '@sotto/market-core';
import { parseJsonExactly } from './json.js';
import { toObservations, type PricedTokens } from './translate-prices.js';
import { connect } from './upstream.js';

export interface ImpulseSettings extends UpstreamSettings {
  readonly tokens: PricedTokens;
}

/**
 * Reads market prices from the aggregator's price interface, all assets in one request. The
 * interface reports no age of a price. So the observation time is the `Date` header of the
 * response, or the time of our clock if there is no such header.
 */
export class ImpulsePriceSource implements PriceSource {
  readonly name = 'impulse';
  readonly #http: Upstream;
  readonly #tokens: PricedTokens;
  readonly #clock: Clock;

  constructor({ tokens, ...upstream }: ImpulseSettings, clock: Clock = systemClock) {
    this.#http = connect('the price service', upstream);
    this.#tokens = tokens;
    this.#clock = clock;
  }

  async observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]> {
    const body = { tokens: assets.flatMap((asset) => this.#tokens[asset] ?? []) };
    if (body.tokens.length === 0) return [];
    // The POST only reads, so a repeated request changes nothing.
    const { text, dateMs } = await this.#http.postJson({
      path: 'v3/tokens/prices',
      body,
      idempotent: true,
    });
    return toObservations(parseJsonExactly(text, 'usd'), assets, {
      tokens: this.#tokens,
      observedAtMs: dateMs ?? this.#clock.nowMs(),
      leaveOut: this.#http.leaveOut,
    });
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }
}
