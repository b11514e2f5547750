import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { feeEstimateReply } from '../../src/index.js';
import { anEstimateWorld, usdcPool, usdcStatus, wbtcStatus } from '../support/estimate-world.js';
import { pool } from '../support/world.js';

const USDC = 100_000_000n;

/**
 * Values calculated by hand. The gas cost is gas × gas price + 5,000 × data gas price. The gas is
 * 800,000 for a deposit, 1,200,000 ÷ 3 for a batch and 35,000,000 for a withdrawal. The cost is
 * multiplied by STRK in USD, divided by BTC in USD, and rounded up to sats. The fee is this cost ×
 * 1.2, rounded up.
 */
const byHand = [
  {
    name: 'cheap gas: 20.754… sats → 21, × 1.2 = 25.2',
    gas: { l2GasFri: 8_000_000_000n, l1GasFri: 1n, l1DataGasFri: 30_000_000n },
    market: { STRK: 4_300_000n, WBTC: 6_000_000_000_000n, USDC },
    reply: {
      feeSats: 26,
      feeBreakdown: {
        depositGasStrk: 0.00640015,
        deployBatchGasStrk: 0.00320015,
        withdrawGasStrk: 0.28000015,
        totalGasStrk: 0.28960045,
        totalGasUsd: 0.01245281935,
        marginPercent: 20,
      },
      gasPrices: { l2GasPriceFri: '8000000000', l1DataGasPriceFri: '30000000' },
      prices: { strkUsd: 0.043, btcUsd: 60_000 },
    },
  },
  {
    name: 'dear data: 467.5 sats → 468, × 1.2 = 561.6',
    gas: { l2GasFri: 25_000_000_000n, l1GasFri: 1n, l1DataGasFri: 2_000_000_000_000n },
    market: { STRK: 50_000_000n, WBTC: 10_000_000_000_000n, USDC },
    reply: {
      feeSats: 562,
      feeBreakdown: {
        depositGasStrk: 0.03,
        deployBatchGasStrk: 0.02,
        withdrawGasStrk: 0.885,
        totalGasStrk: 0.935,
        totalGasUsd: 0.4675,
        marginPercent: 20,
      },
      gasPrices: { l2GasPriceFri: '25000000000', l1DataGasPriceFri: '2000000000000' },
      prices: { strkUsd: 0.5, btcUsd: 100_000 },
    },
  },
  {
    name: 'nothing to round: 1,000 sats × 1.2',
    gas: { l2GasFri: 10_000_000_000n, l1GasFri: 1n, l1DataGasFri: 0n },
    market: { STRK: 100_000_000n, WBTC: 3_620_000_000_000n, USDC },
    reply: {
      feeSats: 1_200,
      feeBreakdown: {
        depositGasStrk: 0.008,
        deployBatchGasStrk: 0.004,
        withdrawGasStrk: 0.35,
        totalGasStrk: 0.362,
        totalGasUsd: 0.362,
        marginPercent: 20,
      },
      gasPrices: { l2GasPriceFri: '10000000000', l1DataGasPriceFri: '0' },
      prices: { strkUsd: 1, btcUsd: 36_200 },
    },
  },
] as const;

describe('EstimateFee', () => {
  it.each(byHand)(
    'the fee estimate equals the values calculated by hand: $name',
    async ({ gas, market, reply }) => {
      const { estimateFee } = anEstimateWorld(gas, market);
      expect(feeEstimateReply(await estimateFee.execute(null))).toEqual({
        ...reply,
        feeAmount: String(reply.feeSats),
        feeToken: pool.token.address,
        withdrawGas: {
          l2Gas: 35_000_000,
          l1DataGas: 5_000,
          source: 'profile',
          receipts: 0,
          ageSeconds: null,
        },
      });
    },
  );

  it('the fee estimate contains the pool’s maximum fee and denomination if the request contains a pool', async () => {
    const { estimateFee } = anEstimateWorld();
    const estimate = await estimateFee.execute(pool.address);
    expect(estimate).toMatchObject({
      feeAmount: 562n,
      costAmount: 468n,
      feeToken: { symbol: 'WBTC', decimals: 8 },
    });
    expect(feeEstimateReply(estimate)).toMatchObject({
      feeSats: 562,
      maxFeeSats: 1_000,
      denomination: 20_000,
    });
  });

  it('limits the estimated fee to the pool’s maximum fee, but still returns the full cost', async () => {
    const { latestBlock, estimateFee, statuses } = anEstimateWorld();
    for (const maxFee of [500n, 100n]) {
      statuses.setStatus(pool.address, { ...wbtcStatus, maxFee });
      latestBlock.mine();
      const estimate = await estimateFee.execute(pool.address);
      expect(estimate).toMatchObject({ feeAmount: maxFee, costAmount: 468n });
      expect(feeEstimateReply(estimate)).toMatchObject({
        feeSats: Number(maxFee),
        maxFeeSats: Number(maxFee),
      });
    }
  });

  it('returns amounts in the unit of the pool’s token', async () => {
    const { estimateFee, statuses } = anEstimateWorld();
    statuses.setStatus(usdcPool.address, { ...usdcStatus, maxFee: 1_000_000n });
    const estimate = await estimateFee.execute(usdcPool.address);
    // 0.4675 USD are 467,500 millionths. The fee is this amount × 1.2.
    expect(estimate).toMatchObject({
      feeAmount: 561_000n,
      costAmount: 467_500n,
      feeToken: { symbol: 'USDC', decimals: 6 },
    });
    expect(feeEstimateReply(estimate)).toMatchObject({
      // 0.561 USD and 1 USD in sats, at 100,000 USD per BTC.
      feeAmount: '561000',
      feeSats: 561,
      maxFeeAmount: '1000000',
      maxFeeSats: 1_000,
      denomination: 10_000_000,
      prices: { strkUsd: 0.5, btcUsd: 100_000 },
    });
  });

  it('a fee in sats never exceeds the pool’s maximum fee, even if this maximum is below one sat', async () => {
    const { estimateFee, statuses, latestBlock } = anEstimateWorld();
    // 0.0125 USD are 12.5 sats, and 0.0005 USD are half a sat.
    for (const [maxFee, feeSats, maxFeeSats] of [
      [12_500n, 12, 12],
      [500n, 0, 0],
    ] as const) {
      statuses.setStatus(usdcPool.address, { ...usdcStatus, maxFee });
      latestBlock.mine();
      const reply = feeEstimateReply(await estimateFee.execute(usdcPool.address));
      expect(reply).toMatchObject({ feeAmount: String(maxFee), feeSats, maxFeeSats });
    }
  });

  it('estimates the cost of a private swap in sats if the request contains no pool', async () => {
    const { estimateFee } = anEstimateWorld();
    expect(await estimateFee.execute(null, { operation: 'private_swap' })).toMatchObject({
      costAmount: 530n,
      feeAmount: 636n,
      feeToken: { symbol: 'WBTC' },
      pool: null,
    });
  });

  it('S15 applies the configured margin to the fee, and returns the margin in percent', async () => {
    const { estimateFee, listPools } = anEstimateWorld(undefined, undefined, 50n);
    const estimate = await estimateFee.execute(pool.address);
    expect(estimate).toMatchObject({ feeAmount: 702n, costAmount: 468n });
    expect(feeEstimateReply(estimate).feeBreakdown.marginPercent).toBe(50);
    expect((await listPools.execute()).pools[0]?.feeAmount).toBe(702n);
  });

  it('the estimated fee is at least 1, even if all gas prices are zero', async () => {
    const { estimateFee } = anEstimateWorld({ l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 0n });
    expect((await estimateFee.execute(null)).feeAmount).toBe(2n);
    const { estimateFee: free } = anEstimateWorld({ l2GasFri: 0n, l1GasFri: 0n, l1DataGasFri: 0n });
    expect((await free.execute(null)).feeAmount).toBe(1n);
  });

  it('rejects a pool that the service does not serve', async () => {
    await expect(anEstimateWorld().estimateFee.execute(toFelt('0x1234'))).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
    });
  });

  it('rejects with PRICE_UNAVAILABLE if prices are unavailable, stale or missing', async () => {
    const { estimateFee, prices, clock } = anEstimateWorld();
    clock.pass(3_600_001);
    await expect(estimateFee.execute(null)).rejects.toMatchObject({
      code: 'PRICE_UNAVAILABLE',
      kind: 'unavailable',
    });
    prices.set([]);
    await expect(estimateFee.execute(usdcPool.address)).rejects.toMatchObject({
      code: 'PRICE_UNAVAILABLE',
    });
    prices.fail();
    await expect(estimateFee.execute(null)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' });
  });

  it('rethrows errors of gas prices, and errors of the pool if the request contains a pool', async () => {
    const { estimateFee, latestBlock, statuses } = anEstimateWorld();
    statuses.failReads();
    expect(await estimateFee.execute(null)).toMatchObject({ feeAmount: 562n, pool: null });
    await expect(estimateFee.execute(pool.address)).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
    latestBlock.failGasPrices();
    await expect(estimateFee.execute(null)).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
  });
});
