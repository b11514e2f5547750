import type { DailyClose, DailyCloses } from '@sotto/dca-core';
import type { Upstream, UpstreamSettings } from '@sotto/http-client';
import { systemClock, type Clock, type Felt } from '@sotto/kernel';
import { parseJsonExactly } from './json.js';
import { closesParams, toCloses } from './translate-closes.js';
import { connect } from './upstream.js';

export interface DailyClosesSettings extends UpstreamSettings {
  /**
   * Permanent name of the source, such as `impulse`. The closing prices of the source are stored
   * under this name.
   */
  readonly name: string;
  /** Address of the token whose daily closing prices are used for BTC. */
  readonly token: Felt;
}

/**
 * Reads daily closing prices from a price interface that has the aggregator's format. All days are
 * read in one request.
 */
export class DailyClosesApi implements DailyCloses {
  readonly name: string;
  readonly #http: Upstream;
  readonly #token: Felt;
  readonly #clock: Clock;

  constructor({ name, token, ...upstream }: DailyClosesSettings, clock: Clock = systemClock) {
    this.#http = connect('the price service', upstream);
    this.name = name;
    this.#token = token;
    this.#clock = clock;
  }

  async closes(fromDay: number, toDay: number): Promise<readonly DailyClose[]> {
    if (fromDay > toDay) return [];
    const days = { from: fromDay, to: toDay };
    const { text } = await this.#http.get({
      path: `v3/tokens/${this.#token}/prices/line`,
      params: closesParams(days),
    });
    return toCloses(parseJsonExactly(text, 'valueUsd'), days, {
      nowMs: this.#clock.nowMs(),
      leaveOut: this.#http.leaveOut,
    });
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }
}
