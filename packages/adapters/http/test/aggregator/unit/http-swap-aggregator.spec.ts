import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AggregatorUnavailable, HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { PartnerFindings, type PartnerFinding, type UpstreamSettings } from '@sotto/http-client';
import { LoopbackUpstream, type Handler } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';
import type { SwapBuildRequest, SwapQuoteRequest } from '@sotto/market-core';
import { STRK, TAKER, TEN_STRK, USDC, vectorText } from '../support/vectors.js';

const SECRET = 'marker-secret';
const REQUESTED: SwapQuoteRequest = {
  sellToken: STRK,
  buyToken: USDC,
  sellAmount: TEN_STRK,
  taker: TAKER,
};
const BUILD: SwapBuildRequest = { quoteId: 'q-1', taker: TAKER, slippagePpm: 12_500 };
const rejection = (...messages: string[]): string =>
  JSON.stringify({ messages, revertError: null });

function cutShort(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': '99' }).write('[{');
  setTimeout(() => response.destroy(), 10);
}

describe('HttpSwapAggregator', () => {
  let upstream: LoopbackUpstream;
  let made: HttpSwapAggregator[];

  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    made = [];
  });
  afterEach(async () => {
    for (const each of made) each.close();
    await upstream.stop();
  });

  const subject = (settings: Partial<UpstreamSettings> = {}): HttpSwapAggregator => {
    const retry = { maxAttempts: 2, firstDelayMs: 1 };
    const each = new HttpSwapAggregator({
      url: upstream.url,
      timeoutMs: 20_000,
      retry,
      headers: { 'X-Api-Key': SECRET },
      ...settings,
    });
    made.push(each);
    return each;
  };

  it('requests quotes with the taker’s address, below the base URL of the aggregator', async () => {
    upstream.answer(200, vectorText('quotes-avnu'));
    const quotes = await subject({ url: `${upstream.url}/base/` }).quotes(REQUESTED);
    expect(quotes.map(({ buyAmount }) => buyAmount)).toEqual([430_588n, 430_576n]);
    const url = new URL(upstream.requests[0]?.url ?? '', upstream.url);
    expect(url.pathname).toBe('/base/swap/v3/quotes');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      sellTokenAddress: STRK,
      buyTokenAddress: USDC,
      sellAmount: '0x8ac7230489e80000',
      takerAddress: TAKER,
    });
    expect(upstream.requests[0]).toMatchObject({ method: 'GET', headers: { 'x-api-key': SECRET } });
  });

  it.each(['build-avnu', 'build-spec'])(
    'requests a build of a swap for the taker and reads the response %s',
    async (name) => {
      upstream.answer(200, vectorText(name));
      const built = await subject().build(BUILD);
      expect(built).toMatchObject({
        kind: 'built',
        calls: [{ to: STRK, entrypoint: 'approve' }, { entrypoint: 'multi_route_swap' }],
      });
      expect(upstream.requests[0]).toMatchObject({
        method: 'POST',
        url: '/swap/v3/build',
        headers: { 'content-type': 'application/json' },
      });
      const body: unknown = JSON.parse(upstream.requests[0]?.body ?? '');
      expect(body).toEqual({
        quoteId: 'q-1',
        takerAddress: TAKER,
        slippage: 0.0125,
        includeApprove: true,
      });
    },
  );

  it('returns no quotes if the aggregator finds no route', async () => {
    upstream.answer(200, '[]');
    expect(await subject().quotes(REQUESTED)).toEqual([]);
  });

  it('returns no quotes if the aggregator reports insufficient liquidity', async () => {
    upstream.answer(400, rejection('Insufficient liquidity'));
    expect(await subject().quotes(REQUESTED)).toEqual([]);
  });

  it.each([
    [400, 'Invalid quote id', 'quote_expired'],
    [400, 'Quote has expired', 'quote_expired'],
    [400, 'Insufficient liquidity', 'no_liquidity'],
    [400, 'Slippage too low', 'slippage_too_tight'],
    [500, 'Contract error: Insufficient tokens received', 'slippage_too_tight'],
  ])('returns the reason of a rejected build: %d %s', async (status, message, kind) => {
    upstream.answer(status, rejection(message));
    expect(await subject().build(BUILD)).toEqual({ kind });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each<[string, Handler, string, object]>([
    [
      '429',
      (to) => to.writeHead(429, { 'Retry-After': '7' }).end('slow down'),
      'AGGREGATOR_UNAVAILABLE',
      { retryAfterSeconds: 7 },
    ],
    [
      '502 in HTML',
      (to) => to.writeHead(502).end(`<html>${SECRET}</html>`),
      'AGGREGATOR_UNAVAILABLE',
      { details: { status: 502 } },
    ],
    [
      '503',
      (to) => to.writeHead(503).end(),
      'AGGREGATOR_UNAVAILABLE',
      { details: { status: 503 } },
    ],
    [
      '500 in HTML',
      (to) => to.writeHead(500).end(`<html>${SECRET}</html>`),
      'AGGREGATOR_UNAVAILABLE',
      { details: { status: 500 } },
    ],
    [
      '500 without a reason',
      (to) => to.writeHead(500).end(rejection(SECRET)),
      'AGGREGATOR_UNAVAILABLE',
      { details: { status: 500 } },
    ],
    [
      '403',
      (to) => to.writeHead(403).end(SECRET),
      'AGGREGATOR_UNAUTHORIZED',
      { details: { status: 403 } },
    ],
    [
      'a redirect',
      (to) => to.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      'AGGREGATOR_UNAVAILABLE',
      { details: { status: 302 } },
    ],
    [
      '400 without a reason',
      (to) => to.writeHead(400).end(rejection(SECRET)),
      'AGGREGATOR_MALFORMED',
      { details: { status: 400 } },
    ],
    [
      '400 in HTML',
      (to) => to.writeHead(400).end(`<html>${SECRET}</html>`),
      'AGGREGATOR_MALFORMED',
      { details: { status: 400 } },
    ],
    ['200 in HTML', (to) => to.end(`<html>${SECRET}</html>`), 'AGGREGATOR_MALFORMED', {}],
    ['an empty body', (to) => to.end(), 'AGGREGATOR_MALFORMED', {}],
    [
      'another shape',
      (to) => to.end(JSON.stringify({ result: SECRET })),
      'AGGREGATOR_MALFORMED',
      {},
    ],
    [
      'more than anybody needs',
      (to) => to.end(`["${'x'.repeat(4 * 2 ** 20)}"]`),
      'AGGREGATOR_MALFORMED',
      {},
    ],
    ['silence', () => {}, 'AGGREGATOR_TIMED_OUT', {}],
    [
      'an answer that stops halfway',
      (to) => to.writeHead(200, { 'Content-Length': '99' }).write('[{'),
      'AGGREGATOR_TIMED_OUT',
      {},
    ],
    [
      'an answer cut short',
      (to) => cutShort(to),
      'AGGREGATOR_UNAVAILABLE',
      { details: { reason: 'ECONNRESET' } },
    ],
    [
      'a broken connection',
      (to) => to.destroy(),
      'AGGREGATOR_UNAVAILABLE',
      { details: { reason: 'ECONNRESET' } },
    ],
  ])(
    'fails on %s of the aggregator without repeating text of the response',
    async (_what, handler, code, properties) => {
      upstream.handler = handler;
      const timeoutMs = code === 'AGGREGATOR_TIMED_OUT' ? 300 : 20_000;
      const aggregator = subject({ retry: { maxAttempts: 1 }, timeoutMs });
      for (const call of [() => aggregator.quotes(REQUESTED), () => aggregator.build(BUILD)]) {
        const error = await failure(call());
        expect(error).toMatchObject({ code, ...properties });
        const shown = inspect(error, { depth: 20, showHidden: true });
        for (const hidden of [SECRET, TAKER, STRK, 'q-1', upstream.url])
          expect(shown).not.toContain(hidden);
      }
    },
  );

  it.each<[string, unknown, string]>([
    [
      'validation errors',
      { errors: [{ field: 'size', message: 'must not be greater than 5' }] },
      'must not be greater than 5',
    ],
    ['an unknown text', { messages: ['Pair is frozen'] }, 'Pair is frozen'],
    [
      'a Cairo 0 message',
      { revertError: `Error at pc=0:4321:\nAn ASSERT_EQ instruction failed: 1 != 0. ${TAKER}` },
      'Error at pc=0:4321: An ASSERT_EQ instruction failed: 1 != 0. #',
    ],
    ['an endless text', { message: 'x '.repeat(500) }, `${'x '.repeat(98)}x...`],
  ])(
    'T17: the error for an unexpected rejection contains the shortened text of the aggregator: %s',
    async (_what, body, reason) => {
      upstream.answer(400, JSON.stringify(body));
      for (const call of [() => subject().quotes(REQUESTED), () => subject().build(BUILD)])
        expect(await failure(call())).toMatchObject({
          code: 'AGGREGATOR_MALFORMED',
          details: { status: 400, reason },
        });
    },
  );

  it('T17 records that the aggregator rejected the API key, and the number of omitted quotes', async () => {
    const reported: PartnerFinding[] = [];
    const findings = new PartnerFindings('aggregator', (finding) => void reported.push(finding));
    const aggregator = subject({ findings });
    upstream.answer(401, '{}');
    expect(await failure(aggregator.quotes(REQUESTED))).toMatchObject({
      code: 'AGGREGATOR_UNAUTHORIZED',
    });
    expect(findings.rejectedWith).toBe(401);
    const [quote] = JSON.parse(vectorText('quotes-spec'));
    const bad = { ...quote, priceImpact: 1_000 };
    upstream.answer(200, JSON.stringify([quote, bad, bad]));
    expect(await aggregator.quotes(REQUESTED)).toHaveLength(1);
    expect(findings.rejectedWith).toBeNull();
    expect(findings.leftOut).toBe(2);
    expect(reported).toEqual([{ partner: 'aggregator', at: 'priceImpact' }]);
  });

  it('retries requests for quotes and builds after a broken connection', async () => {
    const aggregator = subject();
    for (const call of [() => aggregator.quotes(REQUESTED), () => aggregator.build(BUILD)]) {
      upstream.requests.length = 0;
      upstream.handler = (response) => {
        upstream.answer(200, '[]');
        response.destroy();
      };
      await call();
      expect(upstream.requests).toHaveLength(2);
    }
  });

  it('opens the circuit breaker after consecutive failures of the aggregator', async () => {
    upstream.answer(503, '');
    const aggregator = subject({
      retry: { maxAttempts: 1 },
      breaker: { failures: 2, pauseMs: 60_000 },
    });
    await failure(aggregator.quotes(REQUESTED));
    await failure(aggregator.build(BUILD));
    upstream.answer(200, '[]');
    const error = await failure(aggregator.quotes(REQUESTED));
    expect(error).toBeInstanceOf(AggregatorUnavailable);
    expect(error).toMatchObject({ retryAfterSeconds: 60 });
    expect(upstream.requests).toHaveLength(2);
  });

  it('reveals no API key when the aggregator client is printed', () => {
    expect(inspect(subject(), { depth: 20, showHidden: true })).not.toContain(SECRET);
    expect(JSON.stringify(subject())).not.toContain(SECRET);
  });
});
