import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { GetPoolCrowd } from '../../src/index.js';
import { FakePoolEvents, SMALL_BATCH_BELOW } from '../../src/testing/index.js';
import { swapPool } from '../support/estimate-world.js';
import { MovingClock } from '@sotto/kernel/testing';
import { NOW_MS, pool } from '../support/world.js';

/**
 * Pool with batches of 5 and 2 leaves, and three waiting deposits. The oldest waiting deposit is an
 * hour old.
 */
function aCrowdWorld() {
  const history = new FakePoolEvents();
  const clock = new MovingClock(NOW_MS);
  history.deposit(pool.address, 8);
  history.deploy(pool.address, 5);
  history.deploy(pool.address, 2);
  history.pass(3_600);
  history.deposit(pool.address, 2);
  return {
    history,
    clock,
    counts: { nextIndex: 10, undeployedCount: 3 },
    subject: new GetPoolCrowd(history, clock, [pool, swapPool], SMALL_BATCH_BELOW),
  };
}

describe('GetPoolCrowd', () => {
  it('returns the age of the oldest waiting deposit, and the sizes of the last and the smallest batch', async () => {
    const { history, subject, counts } = aCrowdWorld();
    expect(await subject.execute(pool.address, counts)).toEqual({
      oldestWaitingSeconds: 3_600,
      lastBatchSize: 2,
      smallestBatchSize: 2,
    });
    history.deploy(pool.address, 3);
    const grown = await subject.execute(pool.address, { nextIndex: 10, undeployedCount: 0 });
    expect(grown).toEqual({ oldestWaitingSeconds: null, lastBatchSize: 3, smallestBatchSize: 2 });
  });

  it('returns null for age and batch sizes if the pool has no batch yet', async () => {
    const [history, clock] = [new FakePoolEvents(), new MovingClock(NOW_MS)];
    const subject = new GetPoolCrowd(history, clock, [pool], SMALL_BATCH_BELOW);
    const none = { oldestWaitingSeconds: null, lastBatchSize: null, smallestBatchSize: null };
    expect(await subject.execute(pool.address, { nextIndex: 0, undeployedCount: 0 })).toEqual(none);
  });

  it.each([
    [0, { batchSize: 5, warning: null }],
    [5, { batchSize: 2, warning: 'SMALL_CROWD' }],
    [6, null],
  ])(
    'S6 returns the size of the batch whose first leaf is %i, with a warning if the batch is small',
    async (start, crowd) => {
      const { subject, counts } = aCrowdWorld();
      expect(await subject.ofBatch(pool.address, start, counts)).toEqual(crowd);
    },
  );

  it('reads the pool’s events for all callers at most once a minute unless the pool’s counts change', async () => {
    const { history, clock, subject, counts } = aCrowdWorld();
    await Promise.all([
      subject.execute(pool.address, counts),
      subject.execute(pool.address, counts),
      subject.ofBatch(pool.address, 0, counts),
    ]);
    expect(history.reads).toBe(2);
    clock.pass(59_000);
    expect(await subject.execute(pool.address, counts)).toMatchObject({
      oldestWaitingSeconds: 3_659,
    });
    expect(history.reads).toBe(2);
    clock.pass(1_000);
    await subject.execute(pool.address, counts);
    expect(history.reads).toBe(4);
    await subject.execute(pool.address, { ...counts, undeployedCount: 0 });
    expect(history.reads).toBe(5);
  });

  it('rethrows the error of a failed read of the pool’s events, and does not cache this error', async () => {
    const { history, subject, counts } = aCrowdWorld();
    history.fail();
    await expect(subject.execute(pool.address, counts)).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
    history.fail(null);
    expect(await subject.execute(pool.address, counts)).toMatchObject({ lastBatchSize: 2 });
  });

  it('reads no events for a pool that is not served, or for a pool whose notes need no batch', async () => {
    const { history, subject, counts } = aCrowdWorld();
    await expect(subject.execute(toFelt('0x1234'), counts)).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
    });
    await expect(subject.execute(swapPool.address, counts)).rejects.toMatchObject({
      code: 'POOL_WITHOUT_DENOMINATION',
    });
    expect(history.reads).toBe(0);
  });
});
