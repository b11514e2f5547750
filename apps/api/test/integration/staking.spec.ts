import { beforeEach, describe, expect, it } from '@jest/globals';
import { StakingDataUnavailable } from '@sotto/staking-core';
import request, { type Response } from 'supertest';
import { testApp, type TestApp } from './test-app.js';
import { prime } from './yields-fixture.js';

const PATH = '/api/staking';
const CACHED = 'public, s-maxage=30, stale-while-revalidate=60';

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

const get = (headers: Readonly<Record<string, string>> = {}): PromiseLike<Response> =>
  request(test.app).get(PATH).set(headers);

describe('GET /api/staking', () => {
  it('the yields are an array of pools with the eleven documented fields and the added fields, and can be cached as documented', async () => {
    const { status, body, headers } = await get();
    expect(status).toBe(200);
    expect(body).toStrictEqual([
      {
        slug: 'prime',
        name: 'Prime',
        poolId: '0x1e1',
        supplyApy: 2,
        btcFiApr: 1.5,
        totalApy: 3.5,
        utilization: 0.4,
        tvlUsd: 9_500_050,
        totalSupplied: 100,
        btcPrice: 95_000.5,
        borrowApr: 5,
        vaultTokenSymbol: 'vWBTC',
        vaultToken: '0x2e2',
        asset: '0xb7c',
        blockNumber: 700_001,
        asOf: 1_790_000_000,
        rewardsApr: 1.5,
        rewardsAsOf: 1_790_000_005,
        stale: false,
        risk: { label: 'Low', level: 1 },
      },
    ]);
    expect(headers).toMatchObject({
      'cache-control': CACHED,
      'content-type': expect.stringContaining('application/json'),
    });
  });

  it('T17 a reward rate that was never read is marked as stale, and the response matches its schema', async () => {
    const reward = { aprE18: null, readAtMs: null, isStale: true };
    test.useCases.stakingPools = async () => [{ ...prime, btcFiAprE36: null, reward }];
    expect(await get()).toMatchObject({
      status: 200,
      body: [{ btcFiApr: 0, totalApy: 2, rewardsApr: null, rewardsAsOf: null, stale: true }],
    });
  });

  it('the yields list the pools in the order in which the use case returns them', async () => {
    const partner = { ...prime, terms: { ...prime.terms, slug: 'partner-xbtc' } };
    test.useCases.stakingPools = async () => [partner, prime];
    expect((await get()).body.map(({ slug }: { slug: string }) => slug)).toEqual([
      'partner-xbtc',
      'prime',
    ]);
    test.useCases.stakingPools = async () => [];
    test.useCases.clock.advance(5_000);
    expect((await get()).body).toEqual([]);
  });

  it('a caller of the yields with a valid ETag gets 304 without a body until a yield changes', async () => {
    const { headers } = await get();
    const { etag = '' } = headers;
    const again = await get({ 'If-None-Match': etag });
    expect([
      again.status,
      again.text,
      again.headers['cache-control'],
      again.headers['etag'],
    ]).toEqual([304, '', CACHED, etag]);
    test.useCases.stakingPools = async () => [{ ...prime, btcUsdE8: prime.btcUsdE8 + 1n }];
    test.useCases.clock.advance(5_000);
    const changed = await get({ 'If-None-Match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
  });

  it('an error response of the yields contains the missing source and the retry delay, and is not cached', async () => {
    test.useCases.stakingPools = async () => {
      throw new StakingDataUnavailable({ details: { source: 'price' }, retryAfterSeconds: 10 });
    };
    const { status, body, headers } = await get();
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'STAKING_DATA_UNAVAILABLE', details: { source: 'price' } });
    expect(headers).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('etag');
  });

  it('responds INTERNAL instead of returning a pool’s utilization above 100 %', async () => {
    test.useCases.stakingPools = async () => [{ ...prime, utilizationE36: 2n * 10n ** 36n }];
    expect(await get()).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
  });

  it('rejects query parameters of the yields', async () => {
    expect(await request(test.app).get(`${PATH}?slug=prime`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    });
  });
});
