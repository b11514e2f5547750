import { describe, expect, it } from '@jest/globals';
import { toUsdE8, type PricedAsset } from '@sotto/market-core';
import { assert, bigInt, property } from 'fast-check';
import { parseJsonExactly } from '../../../src/aggregator/json.js';
import { toObservations } from '../../../src/aggregator/translate-prices.js';
import { STRK, USDC, WBTC, vectorText } from '../support/vectors.js';

const AT_MS = 1_790_000_000_000;
const TOKENS = { STRK, USDC, WBTC };
const leftOut: string[] = [];

function observe(text: string, assets: readonly PricedAsset[] = ['STRK']): unknown {
  leftOut.length = 0;
  return toObservations(parseJsonExactly(text, 'usd'), assets, {
    tokens: TOKENS,
    observedAtMs: AT_MS,
    leaveOut: (at) => void leftOut.push(at),
  });
}

const strkAt = (usd: string): string =>
  `[{"address":"${STRK}","decimals":18,"globalMarket":{"usd":${usd}},"starknetMarket":null}]`;

describe('toUsdE8', () => {
  it.each([
    ['1', 100_000_000n],
    ['0.1', 10_000_000n],
    ['0.3', 30_000_000n],
    ['1.1', 110_000_000n],
    ['0.00000001', 1n],
    ['4.31e-2', 4_310_000n],
    ['1E5', 10_000_000_000_000n],
    ['1.5e+3', 150_000_000_000n],
    // A float would round this text to 65123.45678901.
    ['65123.45678900999999', 6_512_345_678_900n],
    ['90071992547.40993', 9_007_199_254_740_993_000n],
    ['0.999999999', 99_999_999n],
    ['0.000000009', 0n],
    ['1e-99', 0n],
    ['1e12', 10n ** 20n],
  ])('converts the price text %s to USD with eight decimals', (text, usdE8) => {
    expect(toUsdE8(text)).toBe(usdE8);
  });

  it.each([
    '0',
    '0.0',
    '0e5',
    '-0',
    '-1',
    '-0.5',
    '+1',
    'NaN',
    'Infinity',
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '0x10',
    '1_000',
    '1,5',
    '1e',
    '1e100',
    '1e13',
    '1000000000000.00000001',
    '1'.repeat(65),
    '１',
  ])('rejects the price text %j', (text) => {
    expect(toUsdE8(text)).toBeUndefined();
  });

  it('returns exactly the value of a price text with eight decimals', () => {
    assert(
      property(bigInt({ min: 1n, max: 10n ** 20n }), (usdE8) => {
        const digits = usdE8.toString().padStart(9, '0');
        expect(toUsdE8(`${digits.slice(0, -8)}.${digits.slice(-8)}`)).toBe(usdE8);
        expect(toUsdE8(`${usdE8}e-8`)).toBe(usdE8);
      }),
    );
  });
});

describe('toObservations', () => {
  it('returns the available prices in the order of the requested assets', () => {
    expect(observe(vectorText('prices'), ['WBTC', 'USDC', 'STRK'])).toEqual([
      { asset: 'WBTC', usdE8: 6_512_345_678_901n, observedAtMs: AT_MS },
      { asset: 'STRK', usdE8: 4_305_880n, observedAtMs: AT_MS },
    ]);
  });

  it('returns only the prices that were requested', () => {
    expect(observe(vectorText('prices'), ['STRK'])).toEqual([
      { asset: 'STRK', usdE8: 4_305_880n, observedAtMs: AT_MS },
    ]);
  });

  it('uses the digits of the price text, not the digits of the nearest float', () => {
    expect(observe(strkAt('65123.45678900999999'))).toMatchObject([{ usdE8: 6_512_345_678_900n }]);
  });

  it.each([
    ['no market', `[{"address":"${STRK}","globalMarket":null}]`],
    ['no word of a market', `[{"address":"${STRK}"}]`],
    ['a market without a price', `[{"address":"${STRK}","globalMarket":{"usd":null}}]`],
    [
      'a market whose price has no value',
      `[{"address":"${STRK}","globalMarket":{"usd":{"value":null}}}]`,
    ],
    ['a market without a value', `[{"address":"${STRK}","globalMarket":{"value":null}}]`],
    ['no entry', '[]'],
    ['an entry of another token', strkAt('1').replace(STRK, '0x1')],
    ['a price below the smallest unit', strkAt('1e-9')],
  ])('returns no price if the price response has %s', (_what, text) => {
    expect(observe(text)).toEqual([]);
  });

  it.each([
    ['no JSON', 'NaN', ''],
    ['an HTML page', '<html></html>', ''],
    ['an object', '{}', ''],
    ['a price that is no number', strkAt('NaN'), ''],
    ['zero', strkAt('0'), '0.globalMarket.usd'],
    ['less than zero', strkAt('-0.04'), '0.globalMarket.usd'],
    ['a text for a price', strkAt('"0.04"'), '0.globalMarket.usd'],
    ['a list for a price', strkAt('[0.04]'), '0.globalMarket.usd'],
    ['what no token costs', strkAt('1e30'), '0.globalMarket.usd'],
    ['an infinite price', strkAt('1e999'), '0.globalMarket.usd'],
    ['a number for a market', `[{"address":"${STRK}","globalMarket":1}]`, '0.globalMarket'],
    ['a number for an address', '[{"address":1,"globalMarket":null}]', '0.address'],
    [
      '101 prices',
      `[${Array.from({ length: 101 }, (_, index) => `{"address":"0x${index}"}`).join()}]`,
      '',
    ],
  ])(
    'rejects %s in a price response, and reports only the path of the invalid value',
    (_what, text, at) => {
      expect(() => observe(text)).toThrow(
        expect.objectContaining({ code: 'AGGREGATOR_MALFORMED', details: { at } }),
      );
    },
  );

  it('T17 omits and counts each unusable price, and returns the usable prices', () => {
    const entries = [
      strkAt('0').slice(1, -1),
      strkAt('1').slice(1, -1).replace(STRK, WBTC),
      strkAt('2').slice(1, -1).replace(STRK, USDC),
      strkAt('3').slice(1, -1).replace(STRK, USDC),
    ];
    expect(observe(`[${entries.join()}]`, ['STRK', 'WBTC', 'USDC'])).toEqual([
      { asset: 'WBTC', usdE8: 100_000_000n, observedAtMs: AT_MS },
    ]);
    expect(leftOut).toEqual(['globalMarket.usd', 'prices of USDC']);
  });
});
