import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOSTILE_QUOTES } from '../../../src/aggregator/hostility.js';
import { buildGenesis, sandboxWorld, startSandbox, type Sandbox } from '../../../src/index.js';
import { toHex } from '../../../src/engine/felt.js';
import { trapdoorKey } from '../contracts/trapdoor.js';
import { AggregatorClient, ETH, STRK, TAKER, USDC, WBTC } from './client.js';

const { tokens, exchanges, oracle } = sandboxWorld;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const entry = (address: string, decimals: number, usd: number | null): object => {
  const market = usd === null ? null : { usd };
  return { address, decimals, globalMarket: market, starknetMarket: market };
};

describe('quotes of the aggregator', () => {
  let sandbox: Sandbox;
  let client: AggregatorClient;
  beforeEach(async () => {
    sandbox = await startSandbox({
      genesis: buildGenesis({ verificationKey: trapdoorKey }),
      cadence: 'manual',
    });
    client = new AggregatorClient(sandbox.aggregatorUrl);
  });
  afterEach(() => sandbox.stop());

  const prices = async (...addresses: readonly string[]): Promise<unknown> =>
    (await client.post('/v3/tokens/prices', { tokens: addresses })).body;
  const query = { sellTokenAddress: WBTC, buyTokenAddress: USDC, sellAmount: '0x4c90' };

  it('quotes of the aggregator are sorted, with the best quote first', async () => {
    const { status, body } = await client.get({ ...query, takerAddress: TAKER });
    expect(status).toBe(200);
    const common = {
      quoteId: expect.stringMatching(UUID),
      sellTokenAddress: WBTC,
      sellAmount: '0x4c90',
      buyTokenAddress: USDC,
      priceImpact: 0.05,
      estimatedSlippage: 0.001,
    };
    expect(body).toEqual([
      { ...common, buyAmount: toHex(19_600_000n), routes: [{ name: 'Sandbox AMM', percent: 1 }] },
      {
        ...common,
        buyAmount: toHex(19_580_400n),
        routes: [{ name: 'Sandbox Orders', percent: 1 }],
      },
    ]);
    expect(new Set((Array.isArray(body) ? body : []).map(({ quoteId }) => quoteId)).size).toBe(2);
  });

  const quoted = async (): Promise<unknown[]> => {
    const { body } = await client.get(query);
    return (Array.isArray(body) ? body : []).map(({ buyAmount, priceImpact }) => [
      BigInt(buyAmount),
      priceImpact,
    ]);
  };

  it.each(HOSTILE_QUOTES)(
    'a hostile aggregator returns a manipulated quote exactly once: %s',
    async (deed) => {
      const [best, second] = [19_600_000n, 19_580_400n];
      const expected = {
        'low-quote': [
          [best / 1_000n, 0.05],
          [second / 1_000n, 0.05],
        ],
        'absurd-impact': [
          [best, 1e9],
          [second, 1e9],
        ],
        'unsorted-quotes': [
          [second, 0.05],
          [best, 0.05],
        ],
      };
      sandbox.control.aggregator.addFault({
        endpoint: 'quotes',
        fault: { kind: 'hostile-quotes', deed },
      });
      expect(await quoted()).toEqual(expected[deed]);
      expect(await quoted()).toEqual([
        [best, 0.05],
        [second, 0.05],
      ]);
    },
  );

  it('quotes of the aggregator have all fields of AVNU if `quoteShape` is `avnu`', async () => {
    sandbox.control.aggregator.configure({
      quoteShape: 'avnu',
      routeForm: 'branch',
      priceImpact: 1.5,
    });
    const { body } = await client.get(query);
    expect(body).toEqual([
      {
        quoteId: expect.stringMatching(UUID),
        sellTokenAddress: WBTC,
        sellAmount: '0x4c90',
        sellAmountInUsd: expect.closeTo(19.6, 9),
        buyTokenAddress: USDC,
        buyAmount: toHex(19_600_000n),
        buyAmountInUsd: expect.closeTo(19.6, 9),
        fee: {
          feeToken: USDC,
          avnuFees: '0x0',
          avnuFeesInUsd: 0,
          avnuFeesBps: '0x0',
          integratorFees: '0x0',
          integratorFeesInUsd: 0,
          integratorFeesBps: '0x0',
        },
        blockNumber: '0x0',
        chainId: toHex(BigInt(`0x${Buffer.from('SN_SOTTO_SANDBOX').toString('hex')}`)),
        expiry: null,
        routes: [
          {
            name: 'Sandbox AMM',
            address: toHex(exchanges.first.address),
            percent: 1,
            sellTokenAddress: WBTC,
            buyTokenAddress: USDC,
            routeInfo: {},
            routes: [],
            alternativeSwapCount: 1,
          },
        ],
        gasFees: expect.stringMatching(/^0x/),
        gasFeesInUsd: expect.any(Number),
        priceImpact: -150,
        sellTokenPriceInUsd: 100_000,
        buyTokenPriceInUsd: 1,
        exactTokenTo: false,
        estimatedSlippage: 0.001,
      },
    ]);
  });

  it('the aggregator returns at most the requested number of quotes', async () => {
    expect((await client.get({ ...query, size: '1' })).body).toHaveLength(1);
    expect((await client.get({ ...query, size: '5' })).body).toHaveLength(2);
  });

  it('the amount of a quote with split routes is the sum of the outputs of both routes', async () => {
    sandbox.control.aggregator.configure({ routeForm: 'split' });
    expect((await client.get(query)).body).toEqual([
      expect.objectContaining({
        // 60 % of 19,600 sats are sold at the oracle's price. The remaining 40 % are sold at a
        // price that is 0.1 % lower.
        buyAmount: toHex(11_760_000n + 7_832_160n),
        routes: [
          { name: 'Sandbox AMM', percent: 0.6 },
          { name: 'Sandbox Orders', percent: 0.4 },
        ],
      }),
    ]);
  });

  it('the aggregator accepts hex addresses with leading zeros and in upper or lower case', async () => {
    const padded = `0x${WBTC.slice(2).toUpperCase().padStart(64, '0')}`;
    expect(
      (await client.get({ ...query, sellTokenAddress: padded, sellAmount: '0x004C90' })).body,
    ).toMatchObject([{ sellTokenAddress: WBTC, sellAmount: '0x4c90' }, {}]);
  });

  it.each([
    ['an unknown token', { buyTokenAddress: '0x1234' }],
    ['an amount of zero', { sellAmount: '0x0' }],
    ['a token for itself', { buyTokenAddress: WBTC }],
    ['more than the reserves of the exchanges', { sellAmount: toHex(10n ** 12n) }],
  ])('the aggregator returns an empty list of quotes for %s', async (_name, changes) => {
    expect(await client.get({ ...query, ...changes })).toEqual({ status: 200, body: [] });
  });

  it.each([
    ['no amount', { sellTokenAddress: WBTC, buyTokenAddress: USDC }],
    ['a decimal amount', { ...query, sellAmount: '19600' }],
    ['a token that is no address', { ...query, sellTokenAddress: 'WBTC' }],
    ['a size out of range', { ...query, size: '6' }],
  ])('the aggregator rejects a quote request with %s', async (_name, parameters) => {
    expect(await client.get(parameters)).toEqual({
      status: 400,
      body: { messages: [expect.stringMatching(/./)] },
    });
  });

  describe('rates', () => {
    it('a test can set the exchange rate of quotes for one direction of a token pair', async () => {
      const pair = { sellToken: tokens.WBTC.address, buyToken: tokens.USDC.address };
      sandbox.control.aggregator.setRate({ ...pair, sellAmount: 1_000n, buyAmount: 500_000n });
      expect((await client.quote(USDC)).buyAmount).toBe(toHex(9_800_000n));
      sandbox.control.aggregator.moveRate(pair, -1_000);
      expect((await client.quote(USDC)).buyAmount).toBe(toHex(8_820_000n));
      const back = await client.get({
        sellTokenAddress: USDC,
        buyTokenAddress: WBTC,
        sellAmount: toHex(20_000_000n),
      });
      expect(back.body).toMatchObject([
        { buyAmount: toHex(20_000n) },
        { buyAmount: toHex(19_980n) },
      ]);
    });

    it('a pair of tokens has no quotes after a test sets its buy amount to zero', async () => {
      const pair = { sellToken: tokens.WBTC.address, buyToken: tokens.USDC.address };
      sandbox.control.aggregator.setRate({ ...pair, sellAmount: 1n, buyAmount: 0n });
      expect((await client.get(query)).body).toEqual([]);
      expect((await client.get({ ...query, buyTokenAddress: ETH })).body).toHaveLength(2);
      expect(() => sandbox.control.aggregator.moveRate(pair, 1)).toThrow(
        new RangeError('this market is closed'),
      );
    });

    it('setRate rejects exchange rates with invalid amounts', () => {
      const pair = { sellToken: tokens.WBTC.address, buyToken: tokens.USDC.address };
      expect(() =>
        sandbox.control.aggregator.setRate({ ...pair, sellAmount: 0n, buyAmount: 1n }),
      ).toThrow(RangeError);
      expect(() => sandbox.control.aggregator.moveRate(pair, -10_001)).toThrow(RangeError);
    });
  });

  describe('market prices', () => {
    it('market prices equal the prices of the chain’s oracle by default', async () => {
      expect(await prices(WBTC, '0x1234', STRK)).toEqual([
        entry(WBTC, 8, 100_000),
        entry(STRK, 18, 0.04),
      ]);
      const strkUsd = BigInt(`0x${Buffer.from('STRK/USD').toString('hex')}`).toString(16);
      sandbox.control.setStorage(oracle, `price:${strkUsd}`, 5_000_000n);
      expect(await prices(STRK)).toEqual([entry(STRK, 18, 0.05)]);
      sandbox.control.setStorage(oracle, `price:${strkUsd}`, 0n);
      expect(await prices(STRK)).toEqual([entry(STRK, 18, null)]);
    });

    it('a test can set market prices that differ from the oracle’s prices', async () => {
      sandbox.control.aggregator.setUsdPrice(tokens.STRK.address, 0.08);
      sandbox.control.aggregator.setUsdPrice(tokens.WBTC.address, null);
      expect(await prices(STRK, WBTC)).toEqual([entry(STRK, 18, 0.08), entry(WBTC, 8, null)]);
      sandbox.control.aggregator.setUsdPrice(tokens.STRK.address, 'oracle');
      expect(await prices(STRK)).toEqual([entry(STRK, 18, 0.04)]);
    });

    it('the aggregator rejects a request for market prices without a list of addresses', async () => {
      expect(await client.post('/v3/tokens/prices', { tokens: ['STRK'] })).toMatchObject({
        status: 400,
      });
      expect(await client.post('/v3/tokens/prices', '[')).toEqual({
        status: 400,
        body: { messages: ['The body is not JSON'] },
      });
    });
  });
});
