import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { partnerRows } from '@sotto/http-client/testing';
import { toObservations, toTickerReply } from '../../../src/exchange/ticker.js';
import { tickerText } from '../support/exchange.js';

const PAGE = readFileSync(
  new URL('../../../../../../docs/operations/partner-data.md', import.meta.url),
  'utf8',
);

it('T17 prices of the exchange are read as the table in partner-data.md states', () => {
  expect(partnerRows(PAGE, 'Exchange')).toEqual([
    { field: 'c[0]', unit: 'USD, decimal text', sign: 'none', absent: 'no price' },
  ]);
  const reader = { observedAtMs: 1, leaveOut: () => undefined };
  const { markets } = toTickerReply(tickerText({ XXBTZUSD: '65123.45' }));
  expect(toObservations(markets, ['WBTC', 'STRK'], reader)).toEqual([
    { asset: 'WBTC', usdE8: 6_512_345_000_000n, observedAtMs: 1 },
  ]);
  expect(toObservations({ STRKUSD: { c: [null, '1'] } }, ['STRK'], reader)).toEqual([]);
});
