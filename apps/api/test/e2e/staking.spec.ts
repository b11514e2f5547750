import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SottoClient } from '@sotto/client';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld, type LendingChanges } from '@sotto/sandbox';
import { restarted, startDomains } from './support/domains.js';
import { addressText } from './support/notes.js';
import type { Stack } from './support/stack.js';

const { prime, partner_xbtc: partner } = sandboxWorld.lendingPools;
const WBTC = '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac';
/**
 * Fields that each lending pool has if it was read in one block and its reward rate is up to date.
 */
const READ = {
  asset: WBTC,
  blockNumber: expect.any(Number),
  asOf: expect.any(Number),
  rewardsAsOf: expect.any(Number),
  stale: false,
};
const PRIME_TERMS = {
  ...READ,
  vaultToken: '0x4ecb0667140b9f45b067d026953ed79f22723f1cfac05a7b26c3ac06c88f56c',
  vaultTokenSymbol: 'vWBTC',
  risk: { label: 'Low', level: 1 },
};
const PARTNER_TERMS = {
  ...READ,
  vaultToken: '0x131cc09160f144ec5880a0bc1a0633999030fa6a546388b5d0667cb171a52a0',
  vaultTokenSymbol: 'vWBTC-Re7xBTC',
  risk: { label: 'Low-Medium', level: 2 },
};
const E18 = 10n ** 18n;
const BTC = 10n ** 8n;
const CURVE = { fullUtilizationRateE18: 20_000_000_000n } as const;
/**
 * Delay of the responses of an unavailable node, in ms. A response of the service that waited for
 * the node would need the same time.
 */
const DOWN_MS = 60_000;
/** Market in which 40 of 100 BTC are lent, as 32 units of debt that have grown by a quarter. */
const NORMAL: LendingChanges = {
  ...CURVE,
  reserve: 60n * BTC,
  nominalDebtE18: 32n * E18,
  rateAccumulatorE18: (125n * E18) / 100n,
};
const HOURS_AGO_SECONDS = 5 * 3_600;
/** Number of faulty answers that exceeds the requests of any test. */
const ALWAYS = 1_000;

describe('the yields', () => {
  let stack: Stack;
  let sotto: SottoClient;
  beforeAll(async () => {
    stack = await startDomains({ cadence: 'manual', isStarted: false });
  });
  afterAll(() => stack.stop());

  beforeEach(() => {
    const { control } = stack.chain;
    control.clearFaults();
    control.rewards.clearFaults();
    control.setLendingMarket(prime.address, NORMAL);
    control.rewards.setBtcFiApr(prime.address, { value: 12n * 10n ** 15n, decimals: 18 });
    stack.chain.setPrice('BTC/USD', { usdE8: 10_000_000_000_000n });
    stack.chain.setPrice('WBTC/USD', { usdE8: 10_000_000_000_000n });
    control.mine();
  });

  /** Restarts the service, so that its cache is empty. */
  const pollAgain = async (): Promise<void> => {
    sotto = await restarted(stack);
  };
  const pools = async () => {
    const { data, error } = await sotto.GET('/api/staking');
    if (data === undefined) throw new Error(error.code);
    return data;
  };
  const poolNamed = async (slug: string) => (await pools()).find((pool) => pool.slug === slug);

  // Expected figures are computed by hand. The rate at the target utilization of 80 % is a fifth of
  // the rate at 100 %, which is 20e-9 per second. The rate grows in proportion to the utilization
  // below the target, and on a straight line to the rate at 100 % above the target. APY: ((1 +
  // rate)^31,104,000 - 1) · utilization; borrow APR: rate · 31,104,000.
  it.each([
    {
      state: 'nothing is borrowed',
      market: { ...CURVE, reserve: 123n * BTC, nominalDebtE18: 0n, rateAccumulatorE18: E18 },
      figures: {
        supplyApy: 0,
        totalApy: 1.2,
        borrowApr: 0,
        utilization: 0,
        totalSupplied: 123,
        tvlUsd: 12_300_000,
      },
    },
    {
      // The rate is 2e-9 per second.
      state: '40 of 100 BTC are lent',
      market: NORMAL,
      figures: {
        supplyApy: Number('2.5673468738706254594'),
        totalApy: Number('3.7673468738706254594'),
        borrowApr: 6.2208,
        utilization: 0.4,
        totalSupplied: 100,
        tvlUsd: 10_000_000,
      },
    },
    {
      // The rate is 4e-9 + half of 16e-9 = 12e-9 per second.
      state: '90 of 100 BTC are lent, above the target',
      market: {
        ...CURVE,
        reserve: 10n * BTC,
        nominalDebtE18: 72n * E18,
        rateAccumulatorE18: (125n * E18) / 100n,
      },
      figures: {
        supplyApy: Number('40.7200048339059932047'),
        totalApy: Number('41.9200048339059932047'),
        borrowApr: 37.3248,
        utilization: 0.9,
        totalSupplied: 100,
        tvlUsd: 10_000_000,
      },
    },
  ])(
    'the yields in the API equal the values that were computed by hand when $state',
    async ({ market, figures }) => {
      stack.chain.control.setLendingMarket(prime.address, market);
      await pollAgain();
      expect(await pools()).toStrictEqual([
        {
          slug: 'prime',
          name: 'Vesu PRIME',
          poolId: addressText(prime),
          btcFiApr: 1.2,
          rewardsApr: 1.2,
          btcPrice: 100_000,
          ...PRIME_TERMS,
          ...figures,
        },
        {
          // The rate is 3.75e-9 per second when 75 of 100 BTC are lent.
          slug: 'partner-xbtc',
          name: 'Vesu Re7 xBTC',
          poolId: addressText(partner),
          supplyApy: Number('9.2786114463217870229'),
          btcFiApr: 4.5,
          rewardsApr: 4.5,
          totalApy: Number('13.7786114463217870229'),
          borrowApr: 11.664,
          utilization: 0.75,
          totalSupplied: 100,
          tvlUsd: 10_000_000,
          btcPrice: 100_000,
          ...PARTNER_TERMS,
        },
      ]);
    },
  );

  it('the yields follow the lending pool while the service runs', async () => {
    await pollAgain();
    const first = await eventually('an answer', async () => {
      const answer = await stack.service.get('/api/staking');
      return answer.status === 200 && answer;
    });
    expect(first.headers.get('cache-control')).toBe(
      'public, s-maxage=30, stale-while-revalidate=60',
    );
    // Without the second header, fetch disables HTTP caches.
    const known = {
      'if-none-match': first.headers.get('etag') ?? '',
      'cache-control': 'max-age=0',
    };
    expect((await stack.service.get('/api/staking', known)).status).toBe(304);

    stack.chain.control.setLendingMarket(prime.address, { reserve: 360n * BTC });
    await eventually(
      'the new figures',
      async () => (await poolNamed('prime'))?.utilization === 0.1,
    );
    expect((await stack.service.get('/api/staking', known)).status).toBe(200);
  });

  it.each([
    [
      'its price is hours old',
      { publishedAtSeconds: Math.floor(Date.now() / 1_000) - HOURS_AGO_SECONDS },
    ],
    ['too few publishers support it', { sources: 3 }],
  ])('yields are not returned until a valid price was read: %s', async (_why, price) => {
    const usdE8 = 10_000_000_000_000n;
    for (const pair of ['BTC/USD', 'WBTC/USD']) stack.chain.setPrice(pair, { usdE8, ...price });
    await pollAgain();
    const { error, response } = await sotto.GET('/api/staking');
    expect(response.status).toBe(503);
    expect(error).toMatchObject({ code: 'STAKING_DATA_UNAVAILABLE', details: { source: 'price' } });
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);

    for (const pair of ['BTC/USD', 'WBTC/USD']) stack.chain.setPrice(pair, { usdE8 });
    await eventually(
      'the oracle to be valid again',
      async () => (await sotto.GET('/api/staking')).data !== undefined,
    );
  });

  it('yields use the last valid price while the oracle’s price is stale', async () => {
    await pollAgain();
    expect((await poolNamed('prime'))?.btcPrice).toBe(100_000);
    const publishedAtSeconds = Math.floor(Date.now() / 1_000) - HOURS_AGO_SECONDS;
    for (const pair of ['BTC/USD', 'WBTC/USD'])
      stack.chain.setPrice(pair, { usdE8: 9_000_000_000_000n, publishedAtSeconds });
    stack.chain.control.setLendingMarket(prime.address, { reserve: 360n * BTC });
    // The price is read with the pool, so the service has also read the oracle again.
    await eventually(
      'the new figures',
      async () => (await poolNamed('prime'))?.utilization === 0.1,
    );
    expect(await poolNamed('prime')).toMatchObject({ btcPrice: 100_000, tvlUsd: 40_000_000 });
  });

  it('the rewards are 0 if the reward programme pays none for the lending pool', async () => {
    stack.chain.control.rewards.setBtcFiApr(prime.address, null);
    await pollAgain();
    expect(await poolNamed('prime')).toMatchObject({
      btcFiApr: 0,
      totalApy: Number('2.5673468738706254594'),
    });
    expect((await poolNamed('partner-xbtc'))?.btcFiApr).toBe(4.5);
  });

  it('the last rewards are returned as stale after a restart while their source is down', async () => {
    await pollAgain();
    expect(await poolNamed('prime')).toMatchObject({ btcFiApr: 1.2, stale: false });
    const { rewards } = stack.chain.control;
    rewards.addFault({ fault: { kind: 'cut' }, times: ALWAYS });
    rewards.setBtcFiApr(prime.address, { value: 13n * 10n ** 15n, decimals: 18 });
    await pollAgain();
    expect(await pools()).toMatchObject([
      { btcFiApr: 1.2, rewardsApr: 1.2 },
      { btcFiApr: 4.5, rewardsApr: 4.5 },
    ]);
    await eventually('a stale rate', async () => (await poolNamed('prime'))?.stale === true);
    rewards.clearFaults();
    await eventually('the rewards', async () => (await poolNamed('prime'))?.btcFiApr === 1.3);
    expect((await poolNamed('prime'))?.stale).toBe(false);
  });

  it('the last rewards are still returned when their source fails', async () => {
    await pollAgain();
    expect((await poolNamed('prime'))?.btcFiApr).toBe(1.2);
    const { rewards } = stack.chain.control;
    rewards.addFault({ fault: { kind: 'html' }, times: ALWAYS });
    const requested = rewards.requests();
    await eventually('the source to have failed', async () => {
      await pools();
      return rewards.requests() > requested + 2;
    });
    expect((await poolNamed('prime'))?.btcFiApr).toBe(1.2);
  });

  it('cached yields are returned without delay while the node is down', async () => {
    await pollAgain();
    const before = await pools();
    stack.chain.control.addFault({
      method: '*',
      fault: { kind: 'answer-late', delayMs: DOWN_MS },
      times: ALWAYS,
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const startedAtMs = performance.now();
    for (let reads = 0; reads < 5; reads += 1) expect(await pools()).toEqual(before);
    expect(performance.now() - startedAtMs).toBeLessThan(DOWN_MS);
  });
});
