import { describe, expect, it } from '@jest/globals';
import {
  anEstimateWorld,
  swapPool,
  usdcPool,
  usdcStatus,
  wbtcStatus,
} from '../support/estimate-world.js';
import { LIMITS, SNAPSHOT_MS, anEntry } from '../support/guard-world.js';
import { privacyPool } from '../support/private-action-world.js';
import { NOW_MS, policy, pool } from '../support/world.js';

const depositRation = { perHour: 24, left: 20, perNetwork: 6 };
const deposits = { accepting: true, nextAtMs: null, left: 19, rationLeft: 20 };
const open = { accepting: true, pausedFor: null, reason: null };

describe('ListPools', () => {
  it('returns each served pool with its state, fee and batch sizes, and the fee address for proofs', async () => {
    const { listPools } = anEstimateWorld();
    expect(await listPools.execute()).toEqual({
      chainId: policy.chainId,
      feeAddress: policy.feeAddress,
      pools: [
        {
          ...pool,
          batchSizes: [3, 5, 7],
          denomination: wbtcStatus.denomination,
          status: { ...wbtcStatus, blockNumber: 1, timestamp: 1_760_000_002 },
          feeAmount: 562n,
          depositRation,
          deposits,
          ...open,
        },
        {
          ...usdcPool,
          batchSizes: [3, 5],
          denomination: usdcStatus.denomination,
          status: { ...usdcStatus, blockNumber: 1, timestamp: 1_760_000_002 },
          feeAmount: 500_000n,
          depositRation,
          deposits,
          ...open,
        },
      ],
      swapOutputs: {
        ...swapPool,
        figures: {
          blockNumber: 1,
          timestamp: 1_700_000_000,
          activeDeposits: 0,
          totalSwaps: 0,
          nextIndex: 0,
          maxFeeBps: 500,
        },
        ...open,
      },
      privacyPools: [
        {
          ...privacyPool,
          state: { version: '2.0', isPaused: false, feeFri: 0n, validityBlocks: 450 },
          ...open,
        },
      ],
    });
  });

  it('the list of pools contains the same fees as the fee estimates', async () => {
    const { listPools, estimateFee } = anEstimateWorld();
    for (const { address, feeAmount } of (await listPools.execute()).pools) {
      expect((await estimateFee.execute(address)).feeAmount).toBe(feeAmount);
    }
  });

  it('the list of pools reads each pool once per block', async () => {
    const { listPools, statuses } = anEstimateWorld();
    await Promise.all([listPools.execute(), listPools.execute()]);
    await listPools.execute();
    expect(statuses.reads).toBe(2);
  });

  it('returns each pool with null as state and as fee if the node is unavailable', async () => {
    const { listPools, statuses } = anEstimateWorld();
    statuses.failReads();
    const { pools } = await listPools.execute();
    expect(pools).toMatchObject([
      { key: pool.key, status: null, denomination: null, feeAmount: null },
      { key: usdcPool.key, status: null, denomination: null, feeAmount: null },
    ]);
  });

  it('a denomination that was read once stays known while the node is unavailable', async () => {
    const { listPools, statuses, latestBlock } = anEstimateWorld();
    await listPools.execute();
    latestBlock.mine();
    statuses.failReads();
    const { pools } = await listPools.execute();
    expect(pools).toMatchObject([
      { key: pool.key, status: null, denomination: wbtcStatus.denomination },
      { key: usdcPool.key, status: null, denomination: usdcStatus.denomination },
    ]);
  });

  it('reports for each pool whether the pool accepts withdrawals, with the reason if it does not', async () => {
    const { listPools, guarding, clock } = anEstimateWorld();
    await guarding.control.pause(pool.key, 'upgrade');
    expect((await listPools.execute()).pools).toMatchObject([
      { accepting: false, pausedFor: 'operator', reason: 'upgrade' },
      open,
    ]);
    await guarding.control.resume(pool.key);
    guarding.money.end(anEntry(usdcPool, NOW_MS, { gasPaidFri: LIMITS.hourlyGasPerPoolFri }));
    clock.pass(SNAPSHOT_MS);
    expect((await listPools.execute()).pools).toMatchObject([
      open,
      { accepting: false, pausedFor: 'budget', reason: null },
    ]);
  });

  it('returns null for whether a pool accepts withdrawals if the store is unavailable', async () => {
    const { listPools, guarding } = anEstimateWorld();
    guarding.money.fail();
    const unknown = { accepting: null, pausedFor: null, reason: null };
    expect((await listPools.execute()).pools).toMatchObject([
      { feeAmount: 562n, ...unknown },
      unknown,
    ]);
  });

  it('returns null for fees that are unknown, but returns all other values of each pool', async () => {
    const { listPools, latestBlock, prices } = anEstimateWorld();
    latestBlock.failGasPrices();
    expect((await listPools.execute()).pools).toMatchObject([
      { status: wbtcStatus, feeAmount: null },
      { feeAmount: null },
    ]);
    latestBlock.failGasPrices(null);
    prices.set(await prices.observe(['STRK', 'WBTC']));
    expect((await listPools.execute()).pools).toMatchObject([
      { feeAmount: 562n },
      { status: usdcStatus, feeAmount: null },
    ]);
  });
});
