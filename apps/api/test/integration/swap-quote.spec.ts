import { beforeEach, describe, expect, it } from '@jest/globals';
import { Overloaded } from '@sotto/kernel';
import { EXAMPLE_INPUT_POOL } from '@sotto/routes';
import request, { type Response } from 'supertest';
import { testApp, type TestApp } from './test-app.js';

const OUTPUT = '0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7';
const QUERY = { pool: EXAMPLE_INPUT_POOL, outputToken: OUTPUT };

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

const get = (query: object): PromiseLike<Response> =>
  request(test.app).get('/api/relayer/swap-quote').query(query);

describe('GET /api/relayer/swap-quote', () => {
  it('T17 a swap quote contains the amounts with their ERC-20 tokens, in smallest units as text', async () => {
    const { status, body, headers } = await get({ ...QUERY, slippage: '0.02' });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      pool: EXAMPLE_INPUT_POOL,
      sellToken: '0xb7c',
      outputToken: OUTPUT,
      sellAmount: '19834',
      feeAmount: '166',
      fairAmount: '5602345678901234',
      quotedAmount: '5591000000000000',
      minAmountOut: '5535090000000000',
      priceImpact: 0.002026,
      expiresAt: 1_800_000_030,
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(test.useCases.swapQuotes).toMatchObject([{ outputToken: OUTPUT, slippagePpm: 20_000 }]);
  });

  it('a swap quote uses the default slippage tolerance if the request states none', async () => {
    await get(QUERY);
    await get({ ...QUERY, slippage: '.0100009' });
    expect(test.useCases.swapQuotes.map(({ slippagePpm }) => slippagePpm)).toEqual([
      10_000, 10_000,
    ]);
  });

  it.each([
    ['no pool', { outputToken: OUTPUT }, 'INVALID_REQUEST'],
    ['no token', { pool: EXAMPLE_INPUT_POOL }, 'INVALID_REQUEST'],
    ['a tolerance that is no number', { ...QUERY, slippage: '1e-2' }, 'INVALID_REQUEST'],
    ['a tolerance above the whole', { ...QUERY, slippage: '2' }, 'INVALID_REQUEST'],
    ['a tolerance twice', 'pool=0x1&outputToken=0x2&slippage=0.1&slippage=0.2', 'INVALID_REQUEST'],
    ['an address outside the field', { ...QUERY, pool: `0x${'f'.repeat(64)}` }, 'INVALID_FELT'],
  ])('rejects a swap quote with %s', async (_what, query, code) => {
    const path = '/api/relayer/swap-quote';
    const answer = await request(test.app).get(path).query(query);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('rejects a swap quote with a slippage tolerance above the maximum', async () => {
    expect(await get({ ...QUERY, slippage: '0.1500001' })).toMatchObject({
      status: 400,
      body: { code: 'SLIPPAGE_OUT_OF_RANGE' },
    });
  });

  it('T9 a swap quote is answered OVERLOADED with the retry delay if callers have used up the aggregator’s request budget', async () => {
    test.useCases.quotedSwap = () => {
      throw new Overloaded({ message: 'used up', retryAfterSeconds: 7 });
    };
    expect(await get(QUERY)).toMatchObject({
      status: 503,
      body: { code: 'OVERLOADED' },
      headers: { 'retry-after': '7' },
    });
  });
});

describe('the dry run of a private swap', () => {
  it('T17 the dry run of a private swap returns the same amounts as the swap’s quote', async () => {
    const { body: quoted } = await get(QUERY);
    const [input] = test.useCases.swapQuotes;
    if (input === undefined) throw new Error('no quote was requested');
    const { sellToken: _sellToken, ...swap } = test.useCases.quotedSwap(input);
    test.useCases.report = { admissible: true, checks: [], swap };
    const { pool: _pool, sellToken: _token, outputToken, ...amounts } = quoted;
    const { body } = await request(test.app)
      .post('/api/relayer/private-swap?dryRun=true')
      .send({
        wbtcPool: EXAMPLE_INPUT_POOL,
        proofCalldata: ['0x1'],
        newCommitment: '0x1',
        outputToken,
      });
    expect(body.swap).toEqual(amounts);
  });
});
