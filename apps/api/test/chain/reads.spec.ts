import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { describeOnChain } from './support/describe-on-chain.js';
import type { PoolKey } from './support/chain-world.js';
import { FEE_ADDRESS, Site } from './support/site.js';
import { ForgedWithdrawals, anyLeaves, bodyFor } from './support/withdrawals.js';

const leaves = anyLeaves(3);
const POOLS = [
  ['sentinel_1x', 1n],
  ['sentinel_2x', 1n],
  // The API returns the denomination in cents.
  ['stable_10', 10_000n],
  ['swap_input_1', 1n],
  ['swap_input_2', 1n],
] as const satisfies readonly (readonly [PoolKey, bigint])[];

describeOnChain('what the API returns', (node) => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(node.start, {
      deposits: { sentinel_1x: leaves, stable_10: [1n] },
      verificationKey: trapdoorKey,
    });
  });
  afterAll(() => site.stop());

  const addressOf = (key: PoolKey): string => toFelt(site.chain.world.pools[key].address);

  it.each(POOLS)(
    'the API returns the same state of the pool %s as the pool contract',
    async (key, divisor) => {
      const { address } = site.chain.world.pools[key];
      const count = async (view: string): Promise<number> =>
        Number((await site.chain.client.view(address, view))[0]);
      // The service omits the crowd as long as a busy node has not returned the pool's events.
      const data = await eventually('the crowd', async () => {
        const answer = await site.client.GET('/api/relayer/pool-status', {
          params: { query: { pool: addressOf(key) } },
        });
        return answer.data?.crowd === null ? undefined : answer.data;
      });
      expect(data).toEqual({
        denomination: String((await site.chain.client.u256(address, 'denomination')) / divisor),
        undeployedCount: await count('undeployed_count'),
        activeDeposits: await count('active_deposits'),
        totalDeposits: await count('total_deposits'),
        totalAssets: String(await site.chain.client.u256(address, 'total_assets')),
        maxFeeBps: await count('max_fee_bps'),
        maxFee: String(await site.chain.client.u256(address, 'max_fee')),
        nextIndex: await count('get_next_index'),
        crowd: expect.anything(),
        block: expect.any(Number),
        at: expect.any(Number),
      });
      expect(data.crowd?.oldestWaitingSeconds === null).toBe(data.undeployedCount === 0);
      expect(data.crowd?.smallestBatchSize).toBe(key === 'sentinel_1x' ? 3 : null);
      expect(data.totalDeposits).toBe(
        { sentinel_1x: 3, stable_10: 1, sentinel_2x: 0, swap_input_1: 0, swap_input_2: 0 }[key],
      );
    },
  );

  // The expected figures were computed by hand for borrow rates of 2e-9 and 3.75e-9 per second. The
  // sandbox's spec of the yields contains the same figures.
  it('the API returns the lending pools’ yields that were computed by hand', async () => {
    const { lendingPools, tokens } = site.chain.world;
    const read = {
      asset: toFelt(tokens.WBTC.address),
      vaultToken: expect.stringMatching(/^0x/),
      blockNumber: expect.any(Number),
      asOf: expect.any(Number),
      rewardsAsOf: expect.any(Number),
      stale: false,
    };
    const pools = await eventually('the figures', async () => {
      const { data } = await site.client.GET('/api/staking');
      return data?.every(({ btcFiApr }) => btcFiApr > 0) === true && data;
    });
    expect(pools).toStrictEqual([
      {
        slug: 'prime',
        name: 'Vesu PRIME',
        poolId: toFelt(lendingPools.prime.address),
        supplyApy: Number('2.5673468738706254594'),
        btcFiApr: 1.2,
        rewardsApr: 1.2,
        ...read,
        totalApy: Number('3.7673468738706254594'),
        utilization: 0.4,
        tvlUsd: 10_000_000,
        totalSupplied: 100,
        btcPrice: 100_000,
        borrowApr: 6.2208,
        vaultTokenSymbol: 'vWBTC',
        risk: { label: 'Low', level: 1 },
      },
      {
        slug: 'partner-xbtc',
        name: 'Vesu Re7 xBTC',
        poolId: toFelt(lendingPools.partner_xbtc.address),
        supplyApy: Number('9.2786114463217870229'),
        btcFiApr: 4.5,
        rewardsApr: 4.5,
        ...read,
        totalApy: Number('13.7786114463217870229'),
        utilization: 0.75,
        tvlUsd: 10_000_000,
        totalSupplied: 100,
        btcPrice: 100_000,
        borrowApr: 11.664,
        vaultTokenSymbol: 'vWBTC-Re7xBTC',
        risk: { label: 'Low-Medium', level: 2 },
      },
    ]);
  });

  it('the fee estimate follows the chain’s gas prices', async () => {
    await site.chain.setGasPrices({ l2GasFri: 20_000_000_000n, l1DataGasFri: 2_000_000_000n });
    const pool = addressOf('sentinel_1x');
    const estimate = await eventually('the new gas price', async () => {
      const { data } = await site.client.GET('/api/relayer/fee-estimate', {
        params: { query: { pool } },
      });
      return data?.gasPrices.l2GasPriceFri === '20000000000' && data;
    });
    expect(estimate).toMatchObject({
      gasPrices: { l2GasPriceFri: '20000000000', l1DataGasPriceFri: '2000000000' },
      prices: { strkUsd: 0.04, btcUsd: 100_000 },
      maxFeeSats: 1_000,
      denomination: 20_000,
    });
    const { totalGasStrk, totalGasUsd, depositGasStrk, deployBatchGasStrk, withdrawGasStrk } =
      estimate.feeBreakdown;
    expect(depositGasStrk + deployBatchGasStrk + withdrawGasStrk).toBeCloseTo(totalGasStrk, 9);
    expect(totalGasUsd).toBeCloseTo(totalGasStrk * 0.04, 9);
    // The fee in sats at 100,000 USD, rounded up, plus a fifth, rounded up.
    expect(estimate.feeSats).toBe(Math.ceil(Math.ceil(totalGasUsd * 1_000) * 1.2));

    const { data: quote } = await site.client.POST('/api/relayer/quote', {
      body: { poolAddress: pool },
    });
    expect(quote).toMatchObject({
      fee: String(estimate.feeSats),
      relayer: toFelt(FEE_ADDRESS),
      pool,
    });
    const fee = BigInt(quote?.fee ?? 0);
    const withdrawals = new ForgedWithdrawals(leaves, fee);
    const body = {
      ...bodyFor(site.chain.world.pools.sentinel_1x, withdrawals.calldata(0)),
      quoteId: quote?.quoteId ?? '',
    };
    expect((await site.service.withdraw(body)).body).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(await site.chain.wbtcOf(FEE_ADDRESS)).toBe(fee);
    expect(await site.chain.wbtcOf(withdrawals.recipientOf(0))).toBe(20_000n - fee);
  });
});
