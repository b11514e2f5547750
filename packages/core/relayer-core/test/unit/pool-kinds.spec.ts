import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { ServedPool } from '../../src/index.js';
import { anEstimateWorld, swapPool } from '../support/estimate-world.js';
import { aSwapWorld } from '../support/swap-world.js';
import { pool } from '../support/world.js';

const another = { ...pool, key: 'swap_input_2', address: toFelt('0x2b') };

describe('the kind of a pool', () => {
  it.each<ServedPool['kind']>(['withdraw', 'stable'])(
    'S15 a pool of the kind "%s" rejects swaps of its notes, and returns the pools that support swaps',
    async (kind) => {
      const { swap, submissions, log } = aSwapWorld({ pools: [{ ...pool, kind }, another] });
      await expect(swap()).rejects.toMatchObject({
        code: 'POOL_NOT_SWAPPABLE',
        kind: 'unprocessable',
        details: { allowed: another.address },
      });
      expect(submissions.accepted).toEqual([]);
      expect(log.calls).toEqual([]);
    },
  );

  it('S15 a pool of the kind "swap_input" accepts swaps and withdrawals of its notes', async () => {
    const { swap, submit } = aSwapWorld();
    await swap();
    await expect(submit()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
  });

  it('rejects the address of a pool that is not served with POOL_NOT_SUPPORTED, not with the code for a wrong kind of pool', async () => {
    const { swap } = aSwapWorld();
    await expect(swap({ wbtcPool: toFelt('0x404') })).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
    });
  });

  it('returns no status for the swap pool, because the swap pool has no denomination', async () => {
    const { statuses, getPoolStatus } = anEstimateWorld();
    await expect(getPoolStatus.execute(swapPool.address)).rejects.toMatchObject({
      code: 'POOL_WITHOUT_DENOMINATION',
      kind: 'unprocessable',
    });
    expect(statuses.reads).toBe(0);
  });
});
