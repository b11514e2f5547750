import request, { type Response } from 'supertest';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { PriceUnavailable } from '@sotto/market-core';
import { feeQuoteTypedData } from '@sotto/relayer-core';
import { FakeUpstreamDown } from '@sotto/kernel/testing';
import { EXAMPLE_SWAP_POOL } from '@sotto/routes';
import {
  FEE_ADDRESS,
  STABLE_POOL,
  WBTC_POOL,
  estimate,
  issuedQuote,
  poolList,
  poolStatus,
} from './pools-fixture.js';
import { testApp, type TestApp } from './test-app.js';

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}): PromiseLike<Response> =>
  request(test.app).get(path).set(headers);
const post = (body: object): PromiseLike<Response> =>
  request(test.app).post('/api/relayer/quote').send(body);
const codeOf = ({ status, body }: Response): unknown => [status, body.code];

describe('GET /api/relayer/pool-status', () => {
  const path = '/api/relayer/pool-status';

  it('the pool status has the eight documented fields with their types, the crowd and the block', async () => {
    const { status, body } = await get(`${path}?pool=0x00AA1`);
    expect(status).toBe(200);
    expect(body).toEqual({
      denomination: '20000',
      undeployedCount: 2,
      activeDeposits: 9,
      totalDeposits: 17,
      totalAssets: '340000000000000000001',
      maxFeeBps: 500,
      maxFee: '1000',
      nextIndex: 18,
      crowd: { oldestWaitingSeconds: 5_401, lastBatchSize: 5, smallestBatchSize: 3 },
      deposits: { accepting: true, nextAt: null, left: 20 },
      block: 700_001,
      at: 1_760_000_000,
    });
    expect(test.useCases.requested).toEqual(['0xaa1']);
  });

  it('returns no state of deposits, and does not fail, if the store can’t be read', async () => {
    test.useCases.depositsOf = async () => Promise.reject(new FakeUpstreamDown('no store'));
    expect(await get(`${path}?pool=0xaa1`)).toMatchObject({
      status: 200,
      body: { nextIndex: 18, deposits: null },
    });
  });

  it('returns no crowd, and does not fail, if the pool’s events can’t be read in time', async () => {
    test.useCases.crowd = async () => Promise.reject(new FakeUpstreamDown('no events'));
    expect(await get(`${path}?pool=0xaa1`)).toMatchObject({
      status: 200,
      body: { nextIndex: 18, crowd: null },
    });
    const { app, useCases } = await testApp();
    useCases.crowd = async () => {
      setImmediate(() => useCases.clock.advance(1_000));
      return new Promise(() => {});
    };
    expect((await request(app).get(`${path}?pool=0xaa1`)).body).toMatchObject({
      nextIndex: 18,
      crowd: null,
    });
  });

  it('the pool status of a stablecoin pool states the denomination in cents, and the assets in the ERC-20 token’s smallest unit', async () => {
    test.useCases.status = async () => ({ ...poolStatus, denomination: 10_000_000n });
    const { body } = await get(`${path}?pool=${STABLE_POOL}`);
    expect(body).toMatchObject({
      denomination: '1000',
      totalAssets: '340000000000000000001',
      maxFee: '1000',
    });
  });

  it('the pool status fails if the denomination is not a whole number of the unit in the response', async () => {
    test.useCases.status = async () => ({ ...poolStatus, denomination: 10_000_001n });
    expect(codeOf(await get(`${path}?pool=${STABLE_POOL}`))).toEqual([500, 'INTERNAL']);
  });

  it.each([
    ['no pool', '', 'INVALID_REQUEST'],
    ['a pool twice', '?pool=0xaa1&pool=0xaa1', 'INVALID_REQUEST'],
    ['an unknown key', '?pool=0xaa1&block=1', 'INVALID_REQUEST'],
    ['a nested key', '?pool[a]=0xaa1', 'INVALID_REQUEST'],
    ['the key of every object', '?pool=0xaa1&__proto__=1', 'INVALID_REQUEST'],
    ['text that is no felt', '?pool=marker', 'INVALID_FELT'],
    ['an empty pool', '?pool=', 'INVALID_FELT'],
    ['a text that is no felt', `?pool=0x8${'0'.repeat(63)}`, 'INVALID_FELT'],
  ])('rejects a request for a pool status with %s', async (_name, query, code) => {
    const response = await get(`${path}${query}`);
    expect(codeOf(response)).toEqual([400, code]);
    expect(response.text).not.toContain('marker');
    expect(test.useCases.requested).toEqual([]);
  });

  it('the pool status can be cached for 2 s, and a caller with a valid ETag gets 304', async () => {
    const first = await get(`${path}?pool=0xaa1`);
    expect(first.headers['cache-control']).toBe('public, max-age=2');
    const { etag = 'none' } = first.headers;
    expect((await get(`${path}?pool=0xaa1`, { 'If-None-Match': etag })).status).toBe(304);
    test.useCases.status = async () => ({ ...poolStatus, nextIndex: 19 });
    test.useCases.clock.advance(2_000);
    expect((await get(`${path}?pool=0xaa1`, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('an error response of the pool status must not be cached', async () => {
    const { headers } = await get(path);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('etag');
  });
});

describe('GET /api/relayer/fee-estimate', () => {
  const path = '/api/relayer/fee-estimate';

  it('returns all documented fields of a pool’s fee estimate', async () => {
    const { status, body, headers } = await get(`${path}?pool=${WBTC_POOL}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      feeSats: 166,
      feeAmount: '166',
      feeToken: '0xb7c',
      feeBreakdown: {
        depositGasStrk: 0.024,
        deployBatchGasStrk: 0.012,
        withdrawGasStrk: 1.05,
        totalGasStrk: 1.086,
        totalGasUsd: 0.13032,
        marginPercent: 20,
      },
      gasPrices: { l2GasPriceFri: '30000000000', l1DataGasPriceFri: '45000' },
      withdrawGas: {
        l2Gas: 35_000_000,
        l1DataGas: 5_000,
        source: 'receipts',
        receipts: 64,
        ageSeconds: 12,
      },
      prices: { strkUsd: 0.12, btcUsd: 95_000 },
      maxFeeSats: 1_000,
      maxFeeAmount: '1000',
      denomination: 20_000,
    });
    expect(headers['cache-control']).toBe('public, max-age=5');
  });

  it('a fee estimate omits the pool’s fields if the request states no pool', async () => {
    test.useCases.estimate = async () => ({ ...estimate, pool: null });
    const { body } = await get(path);
    expect(body.feeSats).toBe(166);
    expect(body).not.toHaveProperty('maxFeeSats');
    expect(body).not.toHaveProperty('maxFeeAmount');
    expect(body).not.toHaveProperty('denomination');
    expect(test.useCases.requested).toEqual([null]);
  });

  it('the fee estimate of a USDC pool states the fee in sats, and the denomination in the unit of the pool status', async () => {
    test.useCases.estimate = async () => ({
      ...estimate,
      feeToken: { symbol: 'USDC', address: toFelt('0x5dc'), decimals: 6 },
      feeAmount: 156_386n,
      prices: { ...estimate.prices, feeTokenUsdE8: 100_000_000n },
      pool: { maxFee: 500_000n, denomination: 10_000_000n },
    });
    // The expected values in sats are those of 0.156386 USD and 0.5 USD, at 95,000 USD per BTC.
    expect((await get(`${path}?pool=${STABLE_POOL}`)).body).toMatchObject({
      denomination: 1_000,
      feeSats: 165,
      feeAmount: '156386',
      maxFeeSats: 526,
      maxFeeAmount: '500000',
    });
  });

  it('S4 the fee estimate of a note of the swap pool contains the fee, but no denomination', async () => {
    const strk = { symbol: 'STRK', address: toFelt('0xe7'), decimals: 18 } as const;
    const prices = { ...estimate.prices, feeTokenUsdE8: 350_000_000_000n };
    test.useCases.estimate = async () => ({
      ...estimate,
      feeToken: strk,
      feeAmount: 10n ** 17n + 1n,
      prices,
      pool: { maxFee: 2n * 10n ** 17n, denomination: null },
    });
    const { status, body } = await get(`${path}?pool=0x59&leafIndex=7`);
    expect(status).toBe(200);
    // The expected values in sats are those of 350.0000… USD and 700 USD, at 95,000 USD per BTC.
    expect(body).toMatchObject({
      feeSats: 368_422,
      maxFeeSats: 736_842,
      feeAmount: '100000000000000001',
      feeToken: '0xe7',
    });
    expect(body).toMatchObject({ maxFeeAmount: '200000000000000000' });
    expect(body).not.toHaveProperty('denomination');
    expect(test.useCases.uses).toEqual([{ leafIndex: 7, operation: 'withdraw' }]);
  });

  it('passes operation, leaf index and STRK for the recipient of a fee estimate to the use case', async () => {
    test = await testApp({
      swap: { swapPool: toFelt('0x59'), minSlippagePpm: 1_000, maxPriceImpactBps: 300 },
    });
    for (const query of [
      '',
      '&leafIndex=7',
      '&leafIndex=8',
      '&operation=private_swap',
      '&recipientGasFri=5',
      '&recipientGasFri=05',
    ])
      await get(`${path}?pool=0xaa1${query}`);
    expect(test.useCases.uses).toEqual([
      { leafIndex: null, operation: 'withdraw' },
      { leafIndex: 7, operation: 'withdraw' },
      { leafIndex: 8, operation: 'withdraw' },
      { leafIndex: null, operation: 'private_swap' },
      // Equal amounts in different spellings are one cached question.
      { leafIndex: null, operation: 'withdraw', recipientGasFri: 5n },
    ]);
  });

  it('the fee estimate of a swap is rejected if private swaps are disabled', async () => {
    expect(codeOf(await get(`${path}?pool=0xaa1&operation=private_swap`))).toEqual([
      503,
      'PRIVATE_SWAP_DISABLED',
    ]);
    expect(codeOf(await post({ poolAddress: '0xaa1', operation: 'private_swap' }))).toEqual([
      503,
      'PRIVATE_SWAP_DISABLED',
    ]);
    expect(test.useCases.requested).toEqual([]);
  });

  it.each(['-1', '1.5', '01', '4294967296', '99999999999', 'x', ''])(
    'rejects a fee estimate for the leaf "%s"',
    async (leafIndex) => {
      expect(codeOf(await get(`${path}?pool=0x59&leafIndex=${leafIndex}`))).toEqual([
        400,
        'INVALID_REQUEST',
      ]);
    },
  );

  it.each(['?pool=0xaa1&pool=0xaa2', '?poll=0xaa1', '?pool=x', '?operation=deposit'])(
    'rejects a fee estimate with %s',
    async (query) => {
      expect((await get(`${path}${query}`)).status).toBe(400);
      expect(test.useCases.requested).toEqual([]);
    },
  );

  it('responds PRICE_UNAVAILABLE instead of guessing a fee if no prices are known', async () => {
    test.useCases.estimate = async () => {
      throw new PriceUnavailable({ retryAfterSeconds: 30 });
    };
    const response = await get(path);
    expect(codeOf(response)).toEqual([503, 'PRICE_UNAVAILABLE']);
    expect(response.headers['retry-after']).toBe('30');
  });
});

describe('POST /api/relayer/quote', () => {
  it('a fee quote contains the fee, its components, its expiry and a signature', async () => {
    const { status, body, headers } = await post({ poolAddress: '0x0AA1' });
    expect(status).toBe(200);
    expect(test.useCases.requested).toEqual(['0xaa1']);
    expect(body).toMatchObject({
      quoteId: 'q-unguessable',
      pool: WBTC_POOL,
      relayer: FEE_ADDRESS,
      operation: 'withdraw',
      fee: '166',
      feeAmount: '166',
      feeToken: '0xb7c',
      maxFeeAmount: '1000',
      expiresAt: 1_792_000_000,
      signer: '0xacc1',
      signature: ['0x51', '0x52'],
      estimate: { feeSats: 166, denomination: 20_000 },
    });
    expect(body.typedData).toEqual(feeQuoteTypedData(issuedQuote.quote));
    expect(headers['cache-control']).toBe('no-store');
  });

  it('S6: a fee quote contains the crowd of the requested batch', async () => {
    expect((await post({ poolAddress: '0xaa1' })).body).not.toHaveProperty('crowd');
    expect((await post({ poolAddress: '0xaa1', batchStart: 15 })).body).toMatchObject({
      crowd: { batchSize: 2, warning: 'SMALL_CROWD' },
    });
    expect((await post({ poolAddress: '0xaa1', batchStart: 16 })).body).toMatchObject({
      crowd: null,
    });
  });

  it('S4 a fee quote for a note of the swap pool contains the note’s leaf', async () => {
    test.useCases.quote = async () => ({
      ...issuedQuote,
      quote: { ...issuedQuote.quote, leafIndex: 0 },
    });
    const { body } = await post({ poolAddress: EXAMPLE_SWAP_POOL, leafIndex: 0 });
    expect(body).toMatchObject({ operation: 'withdraw', leafIndex: 0 });
    expect(test.useCases.uses).toMatchObject([{ leafIndex: 0, operation: 'withdraw' }]);
  });

  it.each([
    {},
    { poolAddress: 1 },
    { poolAddress: '0xaa1', fee: 1 },
    { pool: '0xaa1' },
    { poolAddress: '0x59', leafIndex: '0' },
    { poolAddress: '0x59', leafIndex: 2 ** 32 },
  ])('rejects a quote request with the body %j', async (body) => {
    expect(codeOf(await post(body))).toEqual([400, 'INVALID_REQUEST']);
  });

  it('rejects a quote request whose body exceeds 4,096 bytes', async () => {
    const response = await post({ poolAddress: '0'.repeat(5_000) });
    expect(codeOf(response)).toEqual([413, 'BODY_TOO_LARGE']);
    expect(response.body.details).toEqual({ limitBytes: 4_096 });
  });
});

describe('GET /api/relayer/pools', () => {
  it('the pool list contains all fields of each pool', async () => {
    const { status, body } = await get('/api/relayer/pools');
    expect(status).toBe(200);
    expect(body.relayer).toBe(FEE_ADDRESS);
    expect(body.privateSwap).toBeNull();
    expect(body.swapOutputs).toBeNull();
    expect(body.circuit).toEqual({
      id: 'withdraw-10',
      publicInputs: [
        'root',
        'nullifierHash',
        'recipient',
        'relayer',
        'fee',
        'batchStart',
        'batchSize',
      ],
      verificationKey: 'c1'.repeat(32),
    });
    expect(body.pools).toEqual([
      {
        key: 'one',
        address: WBTC_POOL,
        kind: 'swap_input',
        token: { symbol: 'WBTC', address: '0xb7c', decimals: 8 },
        batchSizes: [3, 5, 7],
        denomination: '20000',
        denominationAmount: '20000',
        undeployedCount: 2,
        leavesLeft: 1_006,
        depositRation: { perHour: 24, left: 21, perNetwork: 6 },
        deposits: { accepting: false, nextAt: 1_792_000_001, left: 0 },
        maxFeeBps: 500,
        maxFee: '1000',
        block: 700_001,
        at: 1_760_000_000,
        fee: '166',
        accepting: true,
        pausedFor: null,
        reason: null,
      },
      expect.objectContaining({
        key: 'stable',
        kind: 'stable',
        deposits: null,
        denomination: null,
        denominationAmount: null,
        maxFee: null,
        block: null,
        at: null,
        fee: null,
      }),
    ]);
  });

  it('S4 the pool list contains the swap pool with its totals', async () => {
    const tokens = [{ symbol: 'STRK', address: toFelt('0x57'), decimals: 18 }] as const;
    const counts = { activeDeposits: 1, totalSwaps: 2, nextIndex: 3, maxFeeBps: 500 };
    const open = { accepting: true, pausedFor: null, reason: null } as const;
    const swapOutputs = {
      key: 'swap_pool',
      address: toFelt('0x59'),
      kind: 'swap_output',
      tokens,
      figures: { ...counts, blockNumber: 7, timestamp: 1_700_000_000 },
      ...open,
    } as const;
    test.useCases.list = async () => ({ ...poolList, swapOutputs });
    const { figures: _, ...rest } = swapOutputs;
    expect((await get('/api/relayer/pools')).body.swapOutputs).toEqual({
      ...rest,
      ...counts,
      block: 7,
      at: 1_700_000_000,
    });
  });

  it('the pool list contains a pool that accepts no withdrawals now, with the reason', async () => {
    const { body } = await get('/api/relayer/pools');
    expect(body.pools[1]).toMatchObject({
      key: 'stable',
      accepting: false,
      pausedFor: 'operator',
      reason: 'upgrade',
    });
  });

  it('the pool list contains the terms of private swaps if private swaps are enabled', async () => {
    const outputTokens = [{ symbol: 'ETH', address: toFelt('0xe7'), decimals: 18 }];
    test = await testApp({
      swap: { swapPool: toFelt('0x59'), minSlippagePpm: 1_000, maxPriceImpactBps: 300 },
    });
    test.useCases.outputTokens = outputTokens;
    expect((await get('/api/relayer/pools')).body.privateSwap).toEqual({
      swapPool: '0x59',
      outputTokens,
      defaultSlippage: 0.01,
      minSlippage: 0.001,
      maxSlippage: 0.15,
      maxPriceImpact: 0.03,
    });
  });

  it('rejects query parameters of the pool list', async () => {
    expect(codeOf(await get('/api/relayer/pools?pool=0xaa1'))).toEqual([400, 'INVALID_REQUEST']);
  });
});
