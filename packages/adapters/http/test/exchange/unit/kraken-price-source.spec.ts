import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KrakenPriceSource } from '@sotto/adapter-http/exchange';
import { PartnerFindings } from '@sotto/http-client';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';
import { startExchange, tickerText } from '../support/exchange.js';

describe('KrakenPriceSource', () => {
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

  it('requests all exchange prices in one request, and uses the BTC market for WBTC', async () => {
    upstream.answer(200, tickerText({ STRKUSD: '0.0431', XXBTZUSD: '65123.45678901' }));
    expect(await subject.observe(['STRK', 'WBTC', 'DOGE'])).toMatchObject([
      { asset: 'STRK', usdE8: 4_310_000n },
      { asset: 'WBTC', usdE8: 6_512_345_678_901n },
    ]);
    expect(upstream.requests.map(({ url }) => url)).toEqual([
      '/0/public/Ticker?pair=STRKUSD%2CXBTUSD',
    ]);
  });

  it('uses the date header of the exchange’s response as the time of its prices', async () => {
    upstream.answer(200, tickerText({ STRKUSD: '1' }), { date: 'Tue, 24 Nov 2026 10:00:00 GMT' });
    expect(await subject.observe(['STRK'])).toEqual([
      { asset: 'STRK', usdE8: 100_000_000n, observedAtMs: Date.UTC(2026, 10, 24, 10) },
    ]);
  });

  it('sends no request for an asset without a market at the exchange', async () => {
    expect(await subject.observe(['DOGE'])).toEqual([]);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ['a refusal', '{"error":["EGeneral:Invalid arguments"]}', 'EXCHANGE_UNAVAILABLE'],
    [
      'a refusal beside prices',
      `{"error":["EGeneral:Temporary lockout"],${tickerText({ STRKUSD: '1' }).slice(12)}`,
      'EXCHANGE_UNAVAILABLE',
    ],
    ['a price of 0', tickerText({ STRKUSD: '0.0' }), 'EXCHANGE_MALFORMED'],
    ['a negative price', tickerText({ STRKUSD: '-1' }), 'EXCHANGE_MALFORMED'],
    ['a word for a price', tickerText({ STRKUSD: 'NaN' }), 'EXCHANGE_MALFORMED'],
    ['no result and no error', '{"error":[]}', 'EXCHANGE_MALFORMED'],
    ['a text for errors', '{"error":"no","result":{}}', 'EXCHANGE_MALFORMED'],
  ])('returns no exchange price from a response with %s', async (_, text, code) => {
    upstream.answer(200, text);
    expect(await failure(subject.observe(['STRK']))).toMatchObject({ code });
  });

  it('T17: returns exchange prices even from a response with a warning', async () => {
    upstream.answer(
      200,
      `{"error":["WDatabase:No change"],${tickerText({ STRKUSD: '1' }).slice(12)}`,
    );
    expect(await subject.observe(['STRK'])).toMatchObject([{ asset: 'STRK' }]);
  });

  it.each(['XXBTZUSD', 'XBTUSD', 'XBT/USD', 'BTC/USD', 'BTCUSD'])(
    'T17 returns the exchange’s price of BTC from a market with the name %s',
    async (name) => {
      upstream.answer(200, tickerText({ [name]: '65000' }));
      expect(await subject.observe(['WBTC'])).toMatchObject([{ usdE8: 6_500_000_000_000n }]);
    },
  );

  it('T17 omits and counts each unusable market of the exchange, and returns the usable markets', async () => {
    const places: string[] = [];
    const findings = new PartnerFindings('exchange', ({ at }) => void places.push(at));
    const watched = new KrakenPriceSource({ url: upstream.url, findings });
    const prices = { STRKUSD: '0', 'BTC/USD': '65000', ETHUSD: '1', 'ETH/USD': '2', TBTCUSD: '3' };
    upstream.answer(200, tickerText(prices));
    expect(await watched.observe(['STRK', 'WBTC', 'ETH'])).toMatchObject([{ asset: 'WBTC' }]);
    expect(places).toEqual(['price of STRK', 'market TBTCUSD', 'prices of ETH']);
    expect(findings.leftOut).toBe(3);
    watched.close();
  });

  it('T17 requests each market separately if the exchange does not know one of the markets', async () => {
    const places: string[] = [];
    const findings = new PartnerFindings('exchange', ({ at }) => void places.push(at));
    const watched = new KrakenPriceSource({ url: upstream.url, findings });
    startExchange(upstream, ['STRKUSD']).trade([{ asset: 'ETH', usdE8: 5n }]);
    expect(await watched.observe(['STRK', 'ETH'])).toMatchObject([{ asset: 'ETH', usdE8: 5n }]);
    expect(places).toEqual(['unknown market STRKUSD']);
    expect(upstream.requests).toHaveLength(3);
    watched.close();
  });
});
