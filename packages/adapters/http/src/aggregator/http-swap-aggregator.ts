import { parseJson, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import { systemClock, type Clock, type ErrorDetails } from '@sotto/kernel';
import type {
  BuiltSwap,
  SwapAggregator,
  SwapBuildRequest,
  SwapQuote,
  SwapQuoteRequest,
} from '@sotto/market-core';
import { BAD_REQUEST, SERVER_ERROR, classifyRejection } from './classify-rejection.js';
import { AggregatorMalformed, AggregatorUnavailable } from './errors.js';
import type { AggregatorProtocol } from './profiles.js';
import { buildBody, quotesParams, toCalls, toQuotes } from './translate.js';
import { connect } from './upstream.js';

export interface AggregatorSettings extends UpstreamSettings {
  /** Protocol of the aggregator, which determines units and signs of quotes. @default spec */
  readonly protocol?: AggregatorProtocol;
}

/**
 * Client of the specification's swap aggregator over HTTP. Accepts both response formats of a
 * build.
 */
export class HttpSwapAggregator implements SwapAggregator {
  readonly #http: Upstream;
  readonly #protocol: AggregatorProtocol;
  readonly #clock: Clock;

  constructor({ protocol = 'spec', ...settings }: AggregatorSettings, clock: Clock = systemClock) {
    this.#http = connect('the aggregator', settings);
    this.#protocol = protocol;
    this.#clock = clock;
  }

  async quotes(request: SwapQuoteRequest): Promise<readonly SwapQuote[]> {
    const params = quotesParams(request);
    const { status, text } = await this.#http.get({
      path: 'swap/v3/quotes',
      params,
      answers: [BAD_REQUEST],
    });
    const body = parseJson(text);
    if (status !== BAD_REQUEST)
      return toQuotes(body, request, {
        protocol: this.#protocol,
        leaveOut: this.#http.leaveOut,
        nowMs: this.#clock.nowMs(),
      });
    if (classifyRejection(status, body) === 'no_liquidity') return [];
    throw this.#refused(status, body);
  }

  async build(request: SwapBuildRequest): Promise<BuiltSwap> {
    const { status, text } = await this.#http.postJson({
      path: 'swap/v3/build',
      body: buildBody(request),
      answers: [BAD_REQUEST, SERVER_ERROR],
      // The aggregator only computes a build, so a repeated request changes nothing.
      idempotent: true,
    });
    const body = parseJson(text);
    if (status !== BAD_REQUEST && status !== SERVER_ERROR)
      return { kind: 'built', calls: toCalls(body) };
    const kind = classifyRejection(status, body);
    if (kind !== undefined) return { kind };
    if (status === BAD_REQUEST) throw this.#refused(status, body);
    const details = this.#details(status, body);
    throw new AggregatorUnavailable({ message: 'the aggregator fails', details });
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }

  #refused(status: number, body: unknown): AggregatorMalformed {
    return new AggregatorMalformed({
      message: 'the aggregator rejects the request for an unknown reason',
      details: this.#details(status, body),
    });
  }

  #details(status: number, body: unknown): ErrorDetails {
    const reason = this.#http.reasonOf(body);
    return reason === undefined ? { status } : { status, reason };
  }
}
