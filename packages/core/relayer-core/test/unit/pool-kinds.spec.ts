import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { ServedPool } from '../../src/index.js';
import { anEstimateWorld, swapPool } from '../support/estimate-world.js';
import { aSwapWorld } from '../support/swap-world.js';
import { pool } from '../support/world.js';

const another = { ...pool, key: 'swap_input_2', address: toFelt('0x2b') };

describe('the kind of a pool', () => {
  it.each<ServedPool['kind']>(['withdraw', 'stable'])(
    'S15 "%s" prevents swaps of its notes, and names the pools that allow them',
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

  it('S15 "swap_input" allows swaps and withdrawals of a note', async () => {
    const { swap, submit } = aSwapWorld();
    await swap();
    await expect(submit()).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
  });

  it('distinguishes an unserved address from a pool of another kind', async () => {
    const { swap } = aSwapWorld();
    await expect(swap({ wbtcPool: toFelt('0x404') })).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
    });
  });

  it('provides no status for the swap pool, because it has no denomination', async () => {
    const { statuses, getPoolStatus } = anEstimateWorld();
    await expect(getPoolStatus.execute(swapPool.address)).rejects.toMatchObject({
      code: 'POOL_WITHOUT_DENOMINATION',
      kind: 'unprocessable',
    });
    expect(statuses.reads).toBe(0);
  });
});
