import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImpulsePriceSource } from '@sotto/adapter-http/aggregator';
import { LoopbackUpstream, type Handler } from '@sotto/http-client/testing';
import { ManualClock, failure } from '@sotto/kernel/testing';
import { STRK, USDC, WBTC, vectorText } from '../support/vectors.js';

const SECRET = 'marker-secret';
const TOKENS = { STRK, USDC, WBTC };

describe('ImpulsePriceSource', () => {
  let upstream: LoopbackUpstream;
  let source: ImpulsePriceSource;
  const clock = new ManualClock();

  const connected = (timeoutMs = 20_000): ImpulsePriceSource => {
    const settings = {
      url: upstream.url,
      timeoutMs,
      retry: { maxAttempts: 2, firstDelayMs: 1 },
      headers: { 'X-Api-Key': SECRET },
    };
    return new ImpulsePriceSource({ ...settings, tokens: TOKENS }, clock);
  };
  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    source = connected();
  });
  afterEach(async () => {
    source.close();
    await upstream.stop();
  });

  it('requests the prices of all configured ERC-20 tokens in one request', async () => {
    upstream.answer(200, vectorText('prices'));
    await source.observe(['STRK', 'WBTC']);
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v3/tokens/prices',
      body: JSON.stringify({ tokens: [STRK, WBTC] }),
    });
  });

  it('sends no request for prices of an empty list of assets', async () => {
    expect(await source.observe([])).toEqual([]);
    expect(upstream.requests).toHaveLength(0);
  });

  it('uses the date header of the price response as the observation time', async () => {
    upstream.answer(200, vectorText('prices'), { Date: 'Thu, 01 Oct 2026 10:00:01 GMT' });
    const [price] = await source.observe(['STRK']);
    expect(price).toEqual({
      asset: 'STRK',
      usdE8: 4_305_880n,
      observedAtMs: Date.UTC(2026, 9, 1, 10, 0, 1),
    });
  });

  it.each(['', 'yesterday'])(
    'uses the service’s clock as the observation time if the date of the price response is %j',
    async (date) => {
      upstream.handler = (response) => {
        response.sendDate = false;
        if (date !== '') response.setHeader('Date', date);
        response.end(vectorText('prices'));
      };
      expect(await source.observe(['STRK'])).toMatchObject([{ observedAtMs: clock.nowMs() }]);
    },
  );

  it.each<[string, Handler, string]>([
    ['400', (to) => to.writeHead(400).end(SECRET), 'AGGREGATOR_UNAVAILABLE'],
    [
      '429',
      (to) => to.writeHead(429, { 'Retry-After': '30' }).end(SECRET),
      'AGGREGATOR_UNAVAILABLE',
    ],
    ['502 in HTML', (to) => to.writeHead(502).end(SECRET), 'AGGREGATOR_UNAVAILABLE'],
    ['a broken connection', (to) => to.destroy(), 'AGGREGATOR_UNAVAILABLE'],
    ['200 in HTML', (to) => to.end(`<html>${SECRET}</html>`), 'AGGREGATOR_MALFORMED'],
    ['silence', () => {}, 'AGGREGATOR_TIMED_OUT'],
  ])(
    'fails on %s of the price source without repeating text of the response',
    async (_what, handler, code) => {
      upstream.handler = handler;
      if (code === 'AGGREGATOR_TIMED_OUT') {
        source.close();
        source = connected(300);
      }
      const error = await failure(source.observe(['STRK']));
      expect(error).toMatchObject({ code });
      const shown = inspect(error, { depth: 20, showHidden: true });
      for (const hidden of [SECRET, upstream.url]) expect(shown).not.toContain(hidden);
    },
  );

  it('reveals no API key when the price source is printed', () => {
    expect(inspect(source, { depth: 20, showHidden: true })).not.toContain(SECRET);
  });
});
