import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KrakenPriceSource } from '@sotto/adapter-exchange';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';
import { tickerText } from '../support/exchange.js';

describe('prices of an exchange', () => {
  let upstream: LoopbackUpstream;
  let subject: KrakenPriceSource;
  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    subject = new KrakenPriceSource({ url: upstream.url, retry: { maxAttempts: 1 } });
  });
  afterEach(async () => {
    subject.close();
    await upstream.stop();
  });

  it('are asked for together, once, and BTC stands for WBTC', async () => {
    upstream.answer(200, tickerText({ STRKUSD: '0.0431', XXBTZUSD: '65123.45678901' }));
    expect(await subject.observe(['STRK', 'WBTC', 'DOGE'])).toMatchObject([
      { asset: 'STRK', usdE8: 4_310_000n },
      { asset: 'WBTC', usdE8: 6_512_345_678_901n },
    ]);
    expect(upstream.requests.map(({ url }) => url)).toEqual([
      '/0/public/Ticker?pair=STRKUSD%2CXBTUSD',
    ]);
  });

  it('are as old as the answer', async () => {
    upstream.answer(200, tickerText({ STRKUSD: '1' }), { date: 'Tue, 24 Nov 2026 10:00:00 GMT' });
    expect(await subject.observe(['STRK'])).toEqual([
      { asset: 'STRK', usdE8: 100_000_000n, observedAtMs: Date.UTC(2026, 10, 24, 10) },
    ]);
  });

  it('are not asked for where the exchange has no market of an asset', async () => {
    expect(await subject.observe(['DOGE'])).toEqual([]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ['a refusal', '{"error":["EQuery:Unknown asset pair"]}', 'EXCHANGE_UNAVAILABLE'],
    [
      'a refusal beside prices',
      `{"error":["EGeneral:Temporary lockout"],${tickerText({ STRKUSD: '1' }).slice(12)}`,
      'EXCHANGE_UNAVAILABLE',
    ],
    ['a price of 0', tickerText({ STRKUSD: '0.0' }), 'EXCHANGE_MALFORMED'],
    ['a negative price', tickerText({ STRKUSD: '-1' }), 'EXCHANGE_MALFORMED'],
    ['a word for a price', tickerText({ STRKUSD: 'NaN' }), 'EXCHANGE_MALFORMED'],
    ['no list of errors', '{"result":{}}', 'EXCHANGE_MALFORMED'],
  ])('are none in an answer with %s', async (_, text, code) => {
    upstream.answer(200, text);
    expect(await failure(subject.observe(['STRK']))).toMatchObject({ code });
  });
});
