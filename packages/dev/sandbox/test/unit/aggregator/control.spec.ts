import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  buildGenesis,
  startSandbox,
  type AggregatorFault,
  type Sandbox,
} from '../../../src/index.js';
import { toHex } from '../../../src/engine/felt.js';
import { postJson } from '../../support/rpc.js';
import { trapdoorKey } from '../contracts/trapdoor.js';
import { AggregatorClient, ETH, STRK, TAKER, USDC, WBTC } from './client.js';

const done = (result: unknown = null): object => ({ status: 200, body: { result } });

describe("the aggregator's faults and control", () => {
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

  const query = `sellTokenAddress=${WBTC}&buyTokenAddress=${ETH}&sellAmount=0x4c90`;
  const getQuotes = (): Promise<Response> =>
    fetch(`${sandbox.aggregatorUrl}/swap/v3/quotes?${query}`);
  const act = async (order: unknown): Promise<{ status: number; body: unknown }> => {
    const response = await postJson(`${sandbox.rpcUrl}/control`, { action: 'aggregator', order });
    return { status: response.status, body: await response.json() };
  };

  it.each<[string, AggregatorFault, number, string, string]>([
    [
      'a refusal',
      { kind: 'refuse', status: 400, messages: ['Insufficient liquidity'] },
      400,
      'json',
      '{"messages":["Insufficient liquidity"]}',
    ],
    [
      'a failed simulation',
      {
        kind: 'refuse',
        status: 500,
        messages: ['Contract error'],
        revertError: 'Insufficient tokens received',
      },
      500,
      'json',
      '{"messages":["Contract error"],"revertError":"Insufficient tokens received"}',
    ],
    [
      'too many requests',
      { kind: 'rate-limited', retryAfterSeconds: 7 },
      429,
      'plain',
      'Too Many Requests',
    ],
    ['a page of a proxy', { kind: 'html' }, 502, 'html', '502 Bad Gateway'],
    [
      'another body',
      { kind: 'answer', body: { quotes: 'none' } },
      200,
      'json',
      '{"quotes":"none"}',
    ],
    ['no route', { kind: 'no-route' }, 200, 'json', '[]'],
  ])(
    'a fault makes the aggregator respond with %s once',
    async (_name, fault, status, type, text) => {
      sandbox.control.aggregator.addFault({ endpoint: 'quotes', fault });
      const response = await getQuotes();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        status,
        expect.stringContaining(type),
      ]);
      expect(response.headers.get('retry-after')).toBe(fault.kind === 'rate-limited' ? '7' : null);
      expect(await response.text()).toContain(text);
      expect((await getQuotes()).status).toBe(200);
    },
  );

  it('the fault `cut` breaks the connection', async () => {
    sandbox.control.aggregator.addFault({ endpoint: '*', fault: { kind: 'cut' }, times: 2 });
    await expect(getQuotes()).rejects.toThrow('fetch failed');
    await expect(client.build('x')).rejects.toThrow('fetch failed');
    expect((await getQuotes()).status).toBe(200);
  });

  it('the fault `late` delays a response without blocking other requests', async () => {
    sandbox.control.aggregator.addFault({
      endpoint: 'quotes',
      fault: { kind: 'late', delayMs: 300 },
    });
    const order: string[] = [];
    const late = getQuotes().then(async (response) =>
      order.push(`late ${response.status} ${(await response.text()).length > 2}`),
    );
    while (sandbox.control.aggregator.counters().quotes === 0)
      await new Promise((resolve) => setImmediate(resolve));
    await getQuotes().then(({ status }) => order.push(`prompt ${status}`));
    await late;
    expect(order).toEqual(['prompt 200', 'late 200 true']);
  });

  it('a fault of the aggregator affects only its endpoint, and only the given number of requests', async () => {
    sandbox.control.aggregator.addFault({ endpoint: 'build', fault: { kind: 'html' }, times: 2 });
    expect((await getQuotes()).status).toBe(200);
    const { quoteId } = await client.quote();
    for (const status of [502, 502, 200]) {
      const response = await postJson(`${sandbox.aggregatorUrl}/swap/v3/build`, {
        quoteId,
        takerAddress: TAKER,
        slippage: 0.01,
      });
      expect(response.status).toBe(status);
    }
  });

  it('the aggregator counts requests and records their contents', async () => {
    sandbox.control.aggregator.addFault({ endpoint: 'quotes', fault: { kind: 'html' } });
    await getQuotes();
    const { quoteId } = await client.quote();
    await client.build(quoteId);
    expect(sandbox.control.aggregator.counters()).toEqual({
      quotes: 2,
      build: 1,
      prices: 0,
      history: 0,
      secondHistory: 0,
    });
    expect(sandbox.control.aggregator.requests()).toMatchObject([
      { endpoint: 'quotes', text: `?${query}` },
      { endpoint: 'quotes', text: expect.stringContaining(`takerAddress=${TAKER}`) },
      {
        endpoint: 'build',
        text: expect.stringContaining(quoteId),
        headers: { 'content-type': 'application/json' },
      },
    ]);
  });

  it('the aggregator rejects unknown paths and bodies that are too large', async () => {
    expect((await fetch(`${sandbox.aggregatorUrl}/swap/v2/quotes?${query}`)).status).toBe(404);
    expect((await fetch(`${sandbox.aggregatorUrl}/swap/v3/build`)).status).toBe(404);
    const huge = JSON.stringify({ quoteId: 'x'.repeat(70_000) });
    expect((await postJson(`${sandbox.aggregatorUrl}/swap/v3/build`, huge)).status).toBe(413);
  });

  it('the aggregator performs every control request over HTTP', async () => {
    const pair = { sellToken: WBTC, buyToken: USDC };
    expect(
      await act({ action: 'setRate', ...pair, sellAmount: '1000', buyAmount: 500_000 }),
    ).toEqual(done());
    expect((await client.quote(USDC, 1_000n)).buyAmount).toBe(toHex(500_000n));
    expect(await act({ action: 'moveRate', ...pair, byBps: 100 })).toEqual(done());
    expect((await client.quote(USDC, 1_000n)).buyAmount).toBe(toHex(505_000n));
    expect(await act({ action: 'moveRate', ...pair, byBps: -5_000, when: 'after-build' })).toEqual(
      done(),
    );
    expect(await act({ action: 'clearFaults' })).toEqual(done());
    const { quoteId } = await client.quote(USDC, 1_000n);
    await client.build(quoteId);
    expect((await client.quote(USDC, 1_000n)).buyAmount).toBe(toHex(505_000n));
    expect(await act({ action: 'expireQuotes' })).toEqual(done());
    expect((await client.build(quoteId)).status).toBe(400);
    expect(await act({ action: 'setUsdPrice', token: STRK, usd: 0.5 })).toEqual(done());
    expect((await client.post('/v3/tokens/prices', { tokens: [STRK] })).body).toMatchObject([
      { globalMarket: { usd: 0.5 } },
    ]);
    expect(
      await act({
        action: 'addFault',
        endpoint: 'quotes',
        fault: { kind: 'answer', body: null },
        times: 5,
      }),
    ).toEqual(done());
    expect(await (await getQuotes()).json()).toBeNull();
    expect(await act({ action: 'clearFaults' })).toEqual(done());
    const settings = {
      quoteShape: 'avnu',
      buildShape: 'avnu',
      routeForm: 'split',
      quoteLifetimeMs: 0,
      priceImpact: 9,
      estimatedSlippage: 1,
    };
    expect(await act({ action: 'configure', settings })).toEqual(done());
    expect(await (await getQuotes()).json()).toMatchObject([
      { priceImpact: -900, estimatedSlippage: 1, routes: [{}, {}], expiry: null },
    ]);
    expect(await act({ action: 'resetCounters' })).toEqual(done());
    await getQuotes();
    expect(await act({ action: 'counters' })).toEqual(
      done({ quotes: 1, build: 0, prices: 0, history: 0, secondHistory: 0 }),
    );
    expect(await act({ action: 'requests' })).toMatchObject(done([{ endpoint: 'quotes' }]));
  });

  it.each([
    ['an unknown order', { action: 'rob' }],
    [
      'an unknown deed',
      { action: 'addFault', endpoint: 'build', fault: { kind: 'hostile', deed: 'murder' } },
    ],
    ['a setting that does not exist', { action: 'configure', settings: { colour: 'red' } }],
    [
      'a rate of a token that no exchange trades',
      { action: 'setRate', sellToken: '0x1', buyToken: ETH, sellAmount: 1, buyAmount: 1 },
    ],
    ['a price of a token that no exchange trades', { action: 'setUsdPrice', token: '0x1', usd: 1 }],
    [
      'an invalid rate',
      { action: 'setRate', sellToken: WBTC, buyToken: ETH, sellAmount: 0, buyAmount: 1 },
    ],
    [
      'a move of a closed market',
      { action: 'moveRate', sellToken: WBTC, buyToken: WBTC, byBps: 1 },
    ],
  ])(
    'the aggregator rejects a control request with %s with 400 and a reason',
    async (_name, order) => {
      expect(await act(order)).toEqual({
        status: 400,
        body: { error: expect.stringMatching(/./) },
      });
    },
  );
});
