import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { SwapQuoteRequest } from '@sotto/market-core';
import { array, assert, bigInt, integer, property } from 'fast-check';
import { AggregatorMalformed } from '../../../src/aggregator/errors.js';
import {
  buildBody,
  quotesParams,
  toCalls,
  toQuotes,
  type QuoteReader,
} from '../../../src/aggregator/translate.js';
import { STRK, TAKER, TEN_STRK, USDC, WBTC, vector } from '../support/vectors.js';

const REQUEST: SwapQuoteRequest = {
  sellToken: STRK,
  buyToken: USDC,
  sellAmount: TEN_STRK,
  taker: TAKER,
};
const GOOD = {
  quoteId: 'q',
  sellTokenAddress: STRK,
  sellAmount: '0x8ac7230489e80000',
  buyTokenAddress: USDC,
  buyAmount: '0x1',
};
const NOW_MS = 1_790_000_000_000;
const leftOut: string[] = [];
const READER: QuoteReader = {
  protocol: 'spec',
  nowMs: NOW_MS,
  leaveOut: (at) => void leftOut.push(at),
};
const quotesOf = (
  body: unknown,
  protocol: QuoteReader['protocol'] = 'spec',
): ReturnType<typeof toQuotes> => {
  leftOut.length = 0;
  return toQuotes(body, REQUEST, { ...READER, protocol });
};
const CALL = { contractAddress: '0x1', entrypoint: 'approve', calldata: ['0x1'] };

describe('quotesParams', () => {
  it('a request for quotes uses the specification’s parameter names and includes the taker', () => {
    expect(quotesParams(REQUEST)).toEqual({
      sellTokenAddress: STRK,
      buyTokenAddress: USDC,
      sellAmount: '0x8ac7230489e80000',
      takerAddress: TAKER,
    });
  });
});

describe('buildBody', () => {
  it('a request for a build includes the approval, the taker, and the slippage tolerance as a fraction', () => {
    const body = buildBody({ quoteId: 'q', taker: TAKER, slippagePpm: 20_000 });
    expect(body).toEqual({
      quoteId: 'q',
      takerAddress: TAKER,
      slippage: 0.02,
      includeApprove: true,
    });
  });

  it('writes every slippage tolerance as an exact decimal', () => {
    assert(
      property(integer({ min: 1, max: 1_000_000 }), (slippagePpm) => {
        const { slippage } = JSON.parse(
          JSON.stringify(buildBody({ quoteId: 'q', taker: TAKER, slippagePpm })),
        );
        expect(Number(slippage).toFixed(6)).toBe(
          `${Math.floor(slippagePpm / 1e6)}.${String(slippagePpm % 1e6).padStart(6, '0')}`,
        );
      }),
    );
  });
});

describe('toQuotes', () => {
  it('reads the quotes in the format of the aggregator on mainnet', () => {
    const common = { sellToken: STRK, sellAmount: TEN_STRK, buyToken: USDC };
    expect(quotesOf(vector('quotes-avnu'), 'avnu')).toEqual([
      {
        ...common,
        quoteId: '7f0c1a0e-2f4b-4a39-9d57-0c3b4f1f0a11',
        buyAmount: 430_588n,
        priceImpactPpm: 130,
        estimatedSlippagePpm: 1_000,
        expiresAtMs: null,
      },
      {
        ...common,
        quoteId: '0a9d0d5b-6a3c-4a70-8f13-5ec3a6f4b6e2',
        buyAmount: 430_576n,
        priceImpactPpm: 0,
        estimatedSlippagePpm: null,
        expiresAtMs: 4_102_444_800_000,
      },
    ]);
  });

  it('reads the quotes in the format of the specification', () => {
    const [quote, ...others] = quotesOf(vector('quotes-spec'));
    expect(quote).toEqual({
      quoteId: 'q-1',
      sellToken: STRK,
      sellAmount: TEN_STRK,
      buyToken: USDC,
      buyAmount: 430_588n,
      priceImpactPpm: 100,
      estimatedSlippagePpm: 1_000,
      expiresAtMs: null,
    });
    expect(others).toEqual([]);
  });

  it.each([
    [99.9, 999_000],
    [-0.5, -5_000],
    [100, 1_000_000],
    [-100, -1_000_000],
    [null, null],
    [undefined, null],
    [{ value: null }, null],
    [0, 0],
  ])('S3 reads a quote’s price impact of %p percent', (priceImpact, priceImpactPpm) => {
    expect(quotesOf([{ ...GOOD, priceImpact }])).toMatchObject([{ priceImpactPpm }]);
  });

  it.each([
    ['0.05 % better', 5, -500],
    ['1.8 % worse', -180, 18_000],
    ['half a basis point worse', -0.5, 50],
    ['no impact', -0, 0],
  ])(
    'T17 converts AVNU’s price impact to the service’s sign and unit if the quoted price is %s',
    (_what, priceImpact, priceImpactPpm) => {
      expect(quotesOf([{ ...GOOD, priceImpact }], 'avnu')).toMatchObject([{ priceImpactPpm }]);
      expect(leftOut).toEqual([]);
    },
  );

  it('T17 omits and counts each unusable quote, and returns the usable quotes', () => {
    const body = [
      null,
      GOOD,
      { ...GOOD, quoteId: 'absurd', priceImpact: 1e9 },
      { ...GOOD, quoteId: 'gone', expiry: NOW_MS / 1_000 },
      { ...GOOD, quoteId: 'later', expiry: NOW_MS / 1_000 + 1 },
      { ...GOOD, quoteId: 'other', sellAmount: '0x1' },
    ];
    expect(quotesOf(body).map(({ quoteId }) => quoteId)).toEqual(['q', 'later']);
    expect(leftOut).toEqual(['', 'priceImpact', 'expired', 'another swap']);
  });

  it('returns no quotes for an empty list in the response', () => {
    expect(quotesOf([])).toEqual([]);
  });

  it('returns the best quote first, regardless of the order in the response', () => {
    assert(
      property(array(bigInt({ min: 1n, max: 2n ** 256n - 1n }), { maxLength: 50 }), (amounts) => {
        const quotes = quotesOf(
          amounts.map((amount) => ({ ...GOOD, buyAmount: `0x${amount.toString(16)}` })),
        );
        const found = quotes.map(({ buyAmount }) => buyAmount);
        expect(found).toEqual(amounts.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
      }),
    );
  });

  it.each([
    ['another token sold', { sellTokenAddress: WBTC }],
    ['another token bought', { buyTokenAddress: WBTC }],
    ['the tokens swapped', { sellTokenAddress: USDC, buyTokenAddress: STRK }],
    ['less sold', { sellAmount: '0x8ac7230489e7ffff' }],
    ['more sold', { sellAmount: '0x8ac7230489e80001' }],
    ['nothing bought', { buyAmount: '0x0' }],
  ])('omits a quote with %s', (_what, change) => {
    expect(
      quotesOf([{ ...GOOD, ...change }, GOOD]).map(({ quoteId, buyAmount }) => [
        quoteId,
        buyAmount,
      ]),
    ).toEqual([['q', 1n]]);
  });

  it.each([
    ['no JSON', undefined, ''],
    ['null', null, ''],
    ['an object', { quotes: [GOOD] }, ''],
    ['a text', 'quotes', ''],
    ['null alone in the list', [null], '0'],
    ['no id', [{ ...GOOD, quoteId: undefined }], '0.quoteId'],
    ['an empty id', [{ ...GOOD, quoteId: '' }], '0.quoteId'],
    ['a number as id', [{ ...GOOD, quoteId: 7 }], '0.quoteId'],
    ['an endless id', [{ ...GOOD, quoteId: 'q'.repeat(129) }], '0.quoteId'],
    ['a decimal amount', [{ ...GOOD, buyAmount: '1' }], '0.buyAmount'],
    ['a number as amount', [{ ...GOOD, buyAmount: 1 }], '0.buyAmount'],
    ['a negative amount', [{ ...GOOD, buyAmount: '-0x1' }], '0.buyAmount'],
    ['an empty amount', [{ ...GOOD, buyAmount: '0x' }], '0.buyAmount'],
    ['an amount above 256 bits', [{ ...GOOD, buyAmount: `0x1${'0'.repeat(64)}` }], '0.buyAmount'],
    ['an amount with a line break', [{ ...GOOD, buyAmount: '0x1\n' }], '0.buyAmount'],
    [
      'an address outside the field',
      [{ ...GOOD, buyTokenAddress: `0x${'f'.repeat(64)}` }],
      '0.buyTokenAddress',
    ],
    ['a symbol for an address', [{ ...GOOD, sellTokenAddress: 'STRK' }], '0.sellTokenAddress'],
    ['more than all for an impact', [{ ...GOOD, priceImpact: 100.01 }], '0.priceImpact'],
    ['an impact that makes rich', [{ ...GOOD, priceImpact: -101 }], '0.priceImpact'],
    [
      'an infinite impact',
      JSON.parse(JSON.stringify([{ ...GOOD, priceImpact: 7 }]).replace(':7', ':1e999')),
      '0.priceImpact',
    ],
    ['a text for an impact', [{ ...GOOD, priceImpact: '0.1' }], '0.priceImpact'],
    ['a negative slippage', [{ ...GOOD, estimatedSlippage: -0.001 }], '0.estimatedSlippage'],
    ['a slippage above all', [{ ...GOOD, estimatedSlippage: 1.001 }], '0.estimatedSlippage'],
    ['51 quotes', Array.from({ length: 51 }, () => GOOD), ''],
  ])(
    'rejects %s in a response with quotes, and reports only the path of the invalid value',
    (_what, body, at) => {
      const error = thrown(() => quotesOf(body));
      expect(error).toBeInstanceOf(AggregatorMalformed);
      expect(error).toMatchObject({
        message: 'the aggregator’s answer violates its protocol',
        details: { at },
      });
    },
  );
});

describe('toCalls', () => {
  it.each(['build-avnu', 'build-spec'])(
    'reads the calls of the built swap in the response %s',
    (name) => {
      const [approve, swap, ...others] = toCalls(vector(name));
      const router = toFelt('0x4270219d365d6b017231b52e92b3fb5d7c8378b05e9abc97724537a80e93b0f');
      expect(approve).toMatchObject({ to: STRK, entrypoint: 'approve' });
      expect(approve?.calldata.toHex()).toEqual([router, '0x8ac7230489e80000', '0x0']);
      expect(swap).toMatchObject({ to: router, entrypoint: 'multi_route_swap' });
      expect(others).toEqual([]);
    },
  );

  it('does not change the position of any felt in the calldata of a built swap', () => {
    const [, swap] = toCalls(vector('build-avnu'));
    expect(swap?.calldata.length).toBe(19);
    expect(swap?.calldata.feltAt(0)).toBe(STRK);
    expect(swap?.calldata.at(6)).toBe(429_622n);
    expect(swap?.calldata.feltAt(8)).toBe(TAKER);
    expect(swap?.calldata.at(15)).toBe(10n ** 12n);
    expect(swap?.calldata.at(18)).toBe(200n);
  });

  it('reads a felt in decimal and in hexadecimal notation', () => {
    const [, swap] = toCalls(vector('build-spec'));
    expect(swap?.calldata.toHex()).toEqual([STRK, '0x1']);
  });

  it('returns all calls of a built swap, even unrequested calls, because the core checks the calls', () => {
    expect(toCalls([CALL, CALL, CALL])).toHaveLength(3);
    expect(toCalls([])).toEqual([]);
  });

  it('accepts the calldata of a build up to the limit of a transaction, and rejects longer calldata', () => {
    expect(toCalls(withFelts(5_000))[0]?.calldata.length).toBe(5_000);
    expect(thrown(() => toCalls(withFelts(5_001)))).toMatchObject({
      code: 'AGGREGATOR_MALFORMED',
      details: { at: '0.calldata' },
    });
  });

  it.each([
    ['no JSON', undefined, ''],
    ['null', null, ''],
    ['an object without calls', { chainId: '0x1' }, 'calls'],
    ['calls that are none', { calls: 'calls' }, 'calls'],
    ['null in the list', [null], '0'],
    [
      'an address outside the field',
      [{ ...CALL, contractAddress: `0x${'f'.repeat(64)}` }],
      '0.contractAddress',
    ],
    ['no entrypoint', [{ ...CALL, entrypoint: '' }], '0.entrypoint'],
    ['an entrypoint that is no name', [{ ...CALL, entrypoint: 'transfer ' }], '0.entrypoint'],
    ['an endless entrypoint', [{ ...CALL, entrypoint: 'e'.repeat(129) }], '0.entrypoint'],
    ['calldata that is a text', [{ ...CALL, calldata: '0x1' }], '0.calldata'],
    ['a number for a felt', [{ ...CALL, calldata: [1] }], '0.calldata.0'],
    ['a word for a felt', [{ ...CALL, calldata: ['0x1', 'marker-secret'] }], '0.calldata'],
    ['a felt outside the field', [{ ...CALL, calldata: [`0x${'f'.repeat(64)}`] }], '0.calldata'],
    ['an endless felt', [{ ...CALL, calldata: [`0x${'0'.repeat(100)}1`] }], '0.calldata.0'],
    ['17 calls', { calls: Array.from({ length: 17 }, () => CALL) }, 'calls'],
  ])(
    'rejects %s in a build response, and reports only the path of the invalid value',
    (_what, body, at) => {
      const error = thrown(() => toCalls(body));
      expect(error).toBeInstanceOf(AggregatorMalformed);
      expect(error).toMatchObject({
        message: 'the aggregator’s answer violates its protocol',
        details: { at },
      });
    },
  );
});

function withFelts(length: number): unknown {
  return [{ ...CALL, calldata: Array.from({ length }, () => '0x1') }];
}

function thrown(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('it did not throw');
}
