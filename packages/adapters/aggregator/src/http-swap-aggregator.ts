import { parseJson, type Upstream, type UpstreamSettings } from '@sotto/http-client';
import type {
  BuiltSwap,
  SwapAggregator,
  SwapBuildRequest,
  SwapQuote,
  SwapQuoteRequest,
} from '@sotto/relayer-core';
import { BAD_REQUEST, SERVER_ERROR, classifyRefusal } from './classify-refusal.js';
import { AggregatorMalformed, AggregatorUnavailable } from './errors.js';
import { buildBody, quotesParams, toCalls, toQuotes } from './translate.js';
import { connect } from './upstream.js';

/**
 * The swap aggregator of the specification over HTTP, in either of the shapes in which it answers a
 * build.
 */
export class HttpSwapAggregator implements SwapAggregator {
  readonly #http: Upstream;

  constructor(settings: UpstreamSettings) {
    this.#http = connect('the aggregator', settings);
  }

  async quotes(request: SwapQuoteRequest): Promise<readonly SwapQuote[]> {
    const params = quotesParams(request);
    const { status, text } = await this.#http.get({
      path: 'swap/v3/quotes',
      params,
      answers: [BAD_REQUEST],
    });
    const body = parseJson(text);
    if (status !== BAD_REQUEST) return toQuotes(body, request);
    if (classifyRefusal(status, body) === 'no_liquidity') return [];
    throw refused(status);
  }

  async build(request: SwapBuildRequest): Promise<BuiltSwap> {
    const { status, text } = await this.#http.postJson({
      path: 'swap/v3/build',
      body: buildBody(request),
      answers: [BAD_REQUEST, SERVER_ERROR],
      // It only computes: nothing is different after a second one.
      idempotent: true,
    });
    const body = parseJson(text);
    if (status !== BAD_REQUEST && status !== SERVER_ERROR)
      return { kind: 'built', calls: toCalls(body) };
    const kind = classifyRefusal(status, body);
    if (kind !== undefined) return { kind };
    if (status === BAD_REQUEST) throw refused(status);
    throw new AggregatorUnavailable({ message: 'the aggregator fails', details: { status } });
  }

  /** Closes idle connections. */
  close(): void {
    this.#http.close();
  }
}

function refused(status: number): AggregatorMalformed {
  return new AggregatorMalformed({
    message: 'the aggregator refuses what it was asked and its reason is unknown',
    details: { status },
  });
}
