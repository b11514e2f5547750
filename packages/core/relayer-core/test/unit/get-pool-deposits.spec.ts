import { describe, expect, it } from '@jest/globals';
import { aDepositWorld, depositsFrom, times } from '../support/deposit-world.js';
import { NOW_MS, pool } from '../support/world.js';

const networks = (count: number) => times(count, (index) => [`network ${index}`]);

describe('GetPoolDeposits', () => {
  it('returns the smaller of the remaining ration and the free leaves without the reserve', async () => {
    const { poolDeposits } = aDepositWorld();
    const of = await poolDeposits(8);
    expect(of(pool.address, 7)).toEqual({
      accepting: true,
      nextAtMs: null,
      left: 8,
      rationLeft: 8,
    });
    expect(of(pool.address, 1_024 - 27)).toMatchObject({ accepting: true, left: 3 });
    expect(of(pool.address, null)).toMatchObject({ accepting: true, left: null });
  });

  it('returns the time of the next deposit when the ration is used up', async () => {
    const world = aDepositWorld({ perPool: 2 });
    await depositsFrom(world, networks(2));
    world.clock.pass(600_000);
    expect((await world.poolDeposits(2))(pool.address, 7)).toEqual({
      accepting: false,
      nextAtMs: NOW_MS + 3_600_000,
      left: 0,
      rationLeft: 0,
    });
    world.clock.pass(3_000_000);
    expect((await world.poolDeposits(2))(pool.address, 7)).toMatchObject({
      accepting: true,
      nextAtMs: null,
    });
  });

  it('returns no time for a full pool, a ration of 0, and a pool that an operator has paused', async () => {
    const closed = { accepting: false, nextAtMs: null, left: 0 };
    const world = aDepositWorld();
    expect((await world.poolDeposits(8))(pool.address, 1_000)).toMatchObject(closed);
    expect((await world.poolDeposits(0))(pool.address, 7)).toMatchObject(closed);
    await world.guarding.control.pause(pool.key, 'upgrade');
    expect((await world.poolDeposits(8))(pool.address, 7)).toMatchObject(closed);
  });
});
