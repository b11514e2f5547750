import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { GetPoolStatus } from '../../src/index.js';
import { anEstimateWorld, usdcPool, usdcStatus, wbtcStatus } from '../support/estimate-world.js';
import { pool } from '../support/world.js';

describe('GetPoolStatus', () => {
  it('returns the status of each pool in the units of the pool’s token', async () => {
    const { getPoolStatus } = anEstimateWorld();
    const block = { blockNumber: 1, timestamp: 1_760_000_002 };
    expect(await getPoolStatus.execute(pool.address)).toEqual({ ...wbtcStatus, ...block });
    expect(await getPoolStatus.execute(usdcPool.address)).toEqual({
      ...usdcStatus,
      ...block,
    });
  });

  it('rejects the address of a pool that the service does not serve, without any read', async () => {
    const { latestBlock, getPoolStatus, statuses } = anEstimateWorld();
    latestBlock.failNumber();
    await expect(getPoolStatus.execute(toFelt('0x1234'))).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
      kind: 'not_found',
    });
    expect(statuses.reads).toBe(0);
  });

  it('reads a pool once per block for all callers', async () => {
    const { getPoolStatus, statuses } = anEstimateWorld();
    const together = await Promise.all(
      Array.from({ length: 20 }, () => getPoolStatus.execute(pool.address)),
    );
    expect(new Set(together).size).toBe(1);
    await getPoolStatus.execute(pool.address);
    expect(statuses.reads).toBe(1);
    await getPoolStatus.execute(usdcPool.address);
    expect(statuses.reads).toBe(2);
  });

  it('reads a pool’s status again in the next block', async () => {
    const { latestBlock, getPoolStatus, statuses } = anEstimateWorld();
    await getPoolStatus.execute(pool.address);
    statuses.setStatus(pool.address, { ...wbtcStatus, undeployedCount: 1 });
    expect(await getPoolStatus.execute(pool.address)).toMatchObject({ undeployedCount: 4 });
    latestBlock.mine();
    expect(await getPoolStatus.execute(pool.address)).toMatchObject({
      undeployedCount: 1,
      blockNumber: 2,
    });
  });

  it('reads a pool’s status again after a rollback to a lower block', async () => {
    const { latestBlock, getPoolStatus, statuses } = anEstimateWorld();
    latestBlock.mine(9);
    await getPoolStatus.execute(pool.address);
    latestBlock.mine(8);
    statuses.setStatus(pool.address, { ...wbtcStatus, totalDeposits: 11, nextIndex: 11 });
    expect(await getPoolStatus.execute(pool.address)).toMatchObject({
      nextIndex: 11,
      blockNumber: 8,
    });
  });

  it('does not cache a status of an older block as the status of the latest block', async () => {
    const { latestBlock, statuses } = anEstimateWorld();
    const ahead = new GetPoolStatus(statuses, { number: async () => 6 }, [pool]);
    latestBlock.mine(5);
    expect(await ahead.execute(pool.address)).toMatchObject({ blockNumber: 5 });
    latestBlock.mine(6);
    expect(await ahead.execute(pool.address)).toMatchObject({ blockNumber: 6 });
    await ahead.execute(pool.address);
    expect(statuses.reads).toBe(2);
  });

  it.each(['clock', 'reads'] as const)(
    'rethrows an error of the %s although an older pool status is known, and reads the status again in the next call',
    async (broken) => {
      const { latestBlock, getPoolStatus, statuses } = anEstimateWorld();
      await getPoolStatus.execute(pool.address);
      latestBlock.mine();
      const fail = (failure?: null): void =>
        broken === 'clock' ? latestBlock.failNumber(failure) : statuses.failReads(failure);
      fail();
      await expect(getPoolStatus.execute(pool.address)).rejects.toMatchObject({
        code: 'FAKE_UPSTREAM_DOWN',
      });
      fail(null);
      expect(await getPoolStatus.execute(pool.address)).toMatchObject({ blockNumber: 2 });
    },
  );
});
