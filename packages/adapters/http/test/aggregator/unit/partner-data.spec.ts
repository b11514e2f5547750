import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { partnerRows, type PartnerRow } from '@sotto/http-client/testing';
import type { SwapQuote } from '@sotto/market-core';
import { parseJsonExactly } from '../../../src/aggregator/json.js';
import type { AggregatorProtocol } from '../../../src/aggregator/profiles.js';
import { toCloses } from '../../../src/aggregator/translate-closes.js';
import { toObservations } from '../../../src/aggregator/translate-prices.js';
import { toQuotes } from '../../../src/aggregator/translate.js';
import { STRK, TAKER, TEN_STRK, USDC, vector } from '../support/vectors.js';

const PAGE = readFileSync(
  new URL('../../../../../../docs/operations/partner-data.md', import.meta.url),
  'utf8',
);
const NOW_MS = 1_790_000_000_000;
const leaveOut = (): void => undefined;

/**
 * Returns the first quote of a published response with these changes; undefined if the quote is
 * omitted.
 */
function quoteOf(
  protocol: AggregatorProtocol,
  change: Readonly<Record<string, unknown>>,
): SwapQuote | undefined {
  const [quote, ...others] = [vector(`quotes-${protocol}`)].flat();
  const request = { sellToken: STRK, buyToken: USDC, sellAmount: TEN_STRK, taker: TAKER };
  const changed = { ...Object(quote), quoteId: 'changed', ...change };
  return toQuotes([changed, ...others, quote], request, {
    protocol,
    nowMs: NOW_MS,
    leaveOut,
  }).find(({ quoteId }) => quoteId === 'changed');
}

type Reading = readonly [change: Readonly<Record<string, unknown>>, quote: object | undefined];

/**
 * Rows of the table that apply to both protocols, with their expected values. The value is
 * undefined if the quote is omitted.
 */
const COMMON: readonly {
  readonly field: string;
  readonly row: Omit<PartnerRow, 'field'>;
  readonly readings: readonly Reading[];
}[] = [
  {
    field: 'sellAmount, buyAmount',
    row: { unit: 'smallest unit, hex', sign: 'none', absent: 'quote is left out' },
    readings: [
      [{ buyAmount: '0x691fc' }, { buyAmount: 430_588n }],
      [{ buyAmount: null }, undefined],
    ],
  },
  {
    field: 'estimatedSlippage',
    row: { unit: 'fraction', sign: 'none', absent: 'not known' },
    readings: [
      [{ estimatedSlippage: 0.001 }, { estimatedSlippagePpm: 1_000 }],
      [{ estimatedSlippage: null }, { estimatedSlippagePpm: null }],
      [{ estimatedSlippage: undefined }, { estimatedSlippagePpm: null }],
      [{ estimatedSlippage: { value: null } }, { estimatedSlippagePpm: null }],
      [{ estimatedSlippage: 2 }, undefined],
    ],
  },
  {
    field: 'expiry',
    row: { unit: 'Unix seconds', sign: 'none', absent: 'no stated end' },
    readings: [
      [{ expiry: 1_790_000_060 }, { expiresAtMs: NOW_MS + 60_000 }],
      [{ expiry: null }, { expiresAtMs: null }],
      [{ expiry: 1_790_000_000 }, undefined],
    ],
  },
];

const IMPACTS = {
  spec: {
    row: { unit: 'percent', sign: 'above 0: loss', absent: 'not known' },
    // Price impacts of a quote that is 1.8 % worse, and of a quote that is 0.05 % better, than the
    // market price.
    readings: [
      [1.8, 18_000],
      [-0.05, -500],
    ],
    impossible: 180,
  },
  avnu: {
    row: { unit: 'basis points', sign: 'below 0: loss', absent: 'not known' },
    readings: [
      [-180, 18_000],
      [5, -500],
    ],
    impossible: -18_000,
  },
} as const;

describe.each(['spec', 'avnu'] as const)('T17 quotes with AGGREGATOR_PROTOCOL=%s', (protocol) => {
  const rows = partnerRows(PAGE, `Aggregator, \`AGGREGATOR_PROTOCOL=${protocol}\``);
  const { row, readings, impossible } = IMPACTS[protocol];

  it('the table of quote fields in partner-data.md lists exactly the fields that the test knows', () => {
    const known = [...COMMON, { field: 'priceImpact', row }];
    expect(rows.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual(
      known
        .map(({ field, row: words }) => ({ field, ...words }))
        .toSorted((a, b) => (a.field < b.field ? -1 : 1)),
    );
  });

  it.each(COMMON)(
    'the field $field of a quote is read as the table in partner-data.md states',
    ({ readings: all }) => {
      const found = all.map(([change, wanted = {}]) => {
        const quote = quoteOf(protocol, change);
        const fields = Object.entries(quote ?? {}).filter(([name]) => Object.hasOwn(wanted, name));
        return quote === undefined ? undefined : Object.fromEntries(fields);
      });
      expect(found).toEqual(all.map(([, wanted]) => wanted));
    },
  );

  it('the field priceImpact of a quote is read as the table in partner-data.md states', () => {
    for (const [stated, ppm] of [...readings, [null, null], [{ value: null }, null]] as const)
      expect(quoteOf(protocol, { priceImpact: stated })).toMatchObject({ priceImpactPpm: ppm });
    expect(quoteOf(protocol, { priceImpact: impossible })).toBeUndefined();
  });
});

describe('T17 prices of tokens', () => {
  it('prices of ERC-20 tokens are read as the table in partner-data.md states', () => {
    const row = { unit: 'USD, decimal number', sign: 'none' };
    expect(partnerRows(PAGE, 'Prices of tokens')).toEqual([
      { field: 'globalMarket.usd', ...row, absent: 'no price' },
      { field: 'valueUsd', ...row, absent: 'no close' },
    ]);
    const reader = { tokens: { STRK }, observedAtMs: NOW_MS, leaveOut };
    const priced = (market: string): unknown =>
      toObservations(
        parseJsonExactly(`[{"address":"${STRK}","globalMarket":${market}}]`, 'usd'),
        ['STRK'],
        reader,
      );
    expect(priced('{"usd":0.043}')).toMatchObject([{ usdE8: 4_300_000n }]);
    for (const none of ['null', '{"usd":null}', '{"usd":{"value":null}}', '{}'])
      expect(priced(none)).toEqual([]);
    const day = Math.floor(NOW_MS / 86_400_000) - 1;
    const date = new Date(day * 86_400_000).toISOString();
    const closed = (value: string): unknown =>
      toCloses(
        parseJsonExactly(`[{"date":"${date}","valueUsd":${value}}]`, 'valueUsd'),
        { from: day, to: day },
        { nowMs: NOW_MS, leaveOut },
      );
    expect(closed('65000.5')).toEqual([{ day, usdE8: 6_500_050_000_000n }]);
    expect(closed('null')).toEqual([]);
  });
});
