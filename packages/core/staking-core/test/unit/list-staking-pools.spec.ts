import { describe, expect, it } from '@jest/globals';
import type { LogFields, Logger } from '@sotto/kernel';
import { failure } from '@sotto/kernel/testing';
import { ListStakingPools, StakingDataUnavailable, type StakingPool } from '@sotto/staking-core';
import {
  ABOVE_TARGET,
  PARTNER,
  PRIME,
  StakingWorld,
  USD_100_000,
  now,
  settle,
} from '../support/world.js';

const SOURCES = ['lendingPools', 'btcPrice', 'rewards'] as const;
const { stringify } = JSON;
const text = (pools: readonly StakingPool[] | undefined): string =>
  stringify(pools, (key, value) => {
    // Ignore the time at which the rewards were read, because rewards are still read while another
    // source does not respond.
    if (key === 'readAtMs') return undefined;
    return typeof value === 'bigint' ? `${value}n` : value;
  });

describe('ListStakingPools', () => {
  it('returns the staking pools in the order of the policy, all read at the same block', async () => {
    const pools = await new StakingWorld().subject.execute();
    expect(pools.map(({ terms }) => terms)).toEqual([PRIME, PARTNER]);
    expect(pools.map(({ blockNumber }) => blockNumber)).toEqual([2, 2]);
  });

  it('reads each source only once for concurrent callers', async () => {
    const { subject, lendingPools, btcPrice, rewards } = new StakingWorld();
    await Promise.all(Array.from({ length: 50 }, async () => subject.execute()));
    expect([lendingPools.reads, btcPrice.reads, rewards.reads]).toEqual([1, 1, 2]);
  });

  it('callers get the old values of a source while the source is read again', async () => {
    const world = new StakingWorld();
    await world.subject.execute();
    await world.pass(world.freshness.refreshMs - 1);
    await world.subject.execute();
    expect(world.lendingPools.reads).toBe(1);

    await world.pass(1);
    world.publish(2n * USD_100_000);
    world.lendingPools.set(PRIME, ABOVE_TARGET);
    const [before] = await world.subject.execute();
    expect(before).toMatchObject({ blockNumber: 2, btcUsdE8: USD_100_000 });
    await settle();
    const [after] = await world.subject.execute();
    expect(after).toMatchObject({
      blockNumber: 3,
      btcUsdE8: 2n * USD_100_000,
      utilizationE36: 9n * 10n ** 35n,
    });
    expect(world.lendingPools.reads).toBe(2);
  });

  it.each(SOURCES)(
    'no caller waits while %s does not respond and its last value is recent enough',
    async (silent) => {
      const world = new StakingWorld();
      const known = await world.subject.execute();
      world[silent].silence();
      await world.pass(world.freshness.refreshMs);
      const { reads } = world[silent];
      for (let reader = 0; reader < 20; reader += 1)
        expect(text((await now(world.subject.execute())).value)).toBe(text(known));
      // A source that does not respond is read once, for any number of callers. The rewards are
      // read once per pool.
      expect(world[silent].reads - reads).toBe(silent === 'rewards' ? 2 : 1);
      await world.pass(world.freshness.refreshMs);
      expect((await now(world.subject.execute())).settled).toBe(true);
    },
  );

  it('updates the other sources while one source does not respond', async () => {
    const world = new StakingWorld();
    await world.subject.execute();
    world.rewards.silence();
    await world.pass(world.freshness.refreshMs);
    world.publish();
    await world.subject.execute();
    await settle();
    expect(await world.subject.execute()).toMatchObject([
      { blockNumber: 3, btcFiAprE36: 0n },
      { btcFiAprE36: 15n * 10n ** 33n },
    ]);
  });

  it.each([
    ['lendingPools', 'lending', 'maxLendingAgeMs'],
    ['btcPrice', 'price', 'maxPriceAgeMs'],
  ] as const)(
    'returns the last values of %s only until they reach their maximum age',
    async (down, source, maxAge) => {
      const hour = 3_600_000;
      const ages = {
        maxLendingAgeMs: 9 * hour,
        maxPriceAgeMs: 9 * hour,
        maxRewardsAgeMs: 9 * hour,
      };
      const world = new StakingWorld({ ...ages, [maxAge]: hour });
      await world.subject.execute();
      world[down].fail();

      await world.pass(hour);
      const { lendingPools, btcPrice } = world;
      if (down !== 'lendingPools') lendingPools.mine(world.clock.nowMs() / 1_000);
      if (down !== 'btcPrice')
        btcPrice.set({ usdE8: USD_100_000, observedAtMs: world.clock.nowMs() });
      expect(await world.subject.execute()).toMatchObject([
        { btcFiAprE36: 0n },
        { btcFiAprE36: 15n * 10n ** 33n },
      ]);
      await settle();

      await world.pass(1);
      const error = await failure(world.subject.execute());
      expect(error).toBeInstanceOf(StakingDataUnavailable);
      expect(error).toMatchObject({
        code: 'STAKING_DATA_UNAVAILABLE',
        kind: 'unavailable',
        details: { source },
        retryAfterSeconds: 10,
      });
      expect(error).toMatchObject({ cause: { code: 'FAKE_UPSTREAM_DOWN' } });

      world[down].fail(null);
      await world.pass(world.freshness.refreshMs);
      world.publish();
      await now(world.subject.execute());
      expect(await world.subject.execute()).toHaveLength(2);
    },
  );

  it.each([
    ['lendingPools', 'lending'],
    ['btcPrice', 'price'],
  ] as const)('rejects if the value of %s was never known', async (down, source) => {
    const world = new StakingWorld();
    world[down].fail();
    await expect(world.subject.execute()).rejects.toMatchObject({
      code: 'STAKING_DATA_UNAVAILABLE',
      details: { source },
    });
  });

  it.each(['lendingPools', 'btcPrice'] as const)(
    'reads %s again in the next call if the first read has failed',
    async (down) => {
      const world = new StakingWorld();
      world[down].fail();
      await failure(world.subject.execute());
      world[down].fail(null);
      expect(await world.subject.execute()).toHaveLength(2);
    },
  );

  it('T17 returns null, never 0, for a reward rate that was never read', async () => {
    const world = new StakingWorld();
    world.rewards.fail();
    const unknown = {
      btcFiAprE36: null,
      reward: { aprE18: null, readAtMs: null, isStale: true },
    };
    expect(await world.subject.execute()).toMatchObject([unknown, unknown]);
  });

  it('T17 returns null as the reward rate if no reward programme is configured for the pool', async () => {
    const world = new StakingWorld();
    world.rewards.set(PRIME.pool, null);
    expect(await world.subject.execute()).toMatchObject([
      { btcFiAprE36: null },
      { btcFiAprE36: 15n * 10n ** 33n },
    ]);
  });

  it('T17 returns 0 as the reward rate of an ended programme, with the time of the read', async () => {
    const world = new StakingWorld();
    const ended = { aprE18: 0n, readAtMs: world.clock.nowMs(), isStale: false };
    expect(await world.subject.execute()).toMatchObject([{ btcFiAprE36: 0n, reward: ended }, {}]);
  });

  it('T17 returns the stored reward rate and its time after a restart if the programme is unavailable', async () => {
    const before = new StakingWorld();
    await before.subject.execute();
    const readAtMs = before.clock.nowMs();

    const after = new StakingWorld({}, before.rates);
    await after.pass(3_600_000);
    after.publish();
    after.rewards.fail();
    const kept = { aprE18: 15n * 10n ** 15n, readAtMs, isStale: true };
    expect(await after.subject.execute()).toMatchObject([
      { btcFiAprE36: 0n, reward: { readAtMs, isStale: true } },
      { btcFiAprE36: 15n * 10n ** 33n, reward: kept },
    ]);
  });

  it('T17: a newly read reward rate is preferred to the stored rate, even if the stored rate arrives later', async () => {
    const before = new StakingWorld();
    await before.subject.execute();
    const after = new StakingWorld({}, before.rates);
    after.rewards.set(PARTNER.pool, 7n);
    after.rates.silence();
    const listing = after.subject.execute();
    await settle();
    after.rates.answer();
    expect(await listing).toMatchObject([{}, { btcFiAprE36: 7n * 10n ** 18n }]);
  });

  it('T17: a reward rate is used even if it can’t be stored', async () => {
    const world = new StakingWorld();
    world.rates.fail();
    expect(await world.subject.execute()).toMatchObject([{}, { btcFiAprE36: 15n * 10n ** 33n }]);

    const down = new StakingWorld();
    down.rates.fail();
    down.rewards.fail();
    for (let reader = 0; reader < 20; reader += 1) await down.subject.execute();
    expect(down.rates.reads).toBe(2);
  });

  it('T17: returns null for a reward rate that is older than the maximum age', async () => {
    const world = new StakingWorld({ maxRewardsAgeMs: 3_600_000 });
    await world.subject.execute();
    const readAtMs = world.clock.nowMs();
    world.rewards.fail();
    await world.pass(3_600_001);
    world.publish();
    expect(await world.subject.execute()).toMatchObject([
      { btcUsdE8: USD_100_000, reward: { aprE18: null, readAtMs, isStale: true } },
      { btcFiAprE36: null },
    ]);
  });

  it('T17: a pool that can’t be read is omitted until it can be read again', async () => {
    const world = new StakingWorld();
    world.lendingPools.set(PRIME, null);
    const slugs = async (): Promise<readonly string[]> =>
      (await world.subject.execute()).map(({ terms }) => terms.slug);
    expect(await slugs()).toEqual([PARTNER.slug]);
    world.lendingPools.set(PRIME, ABOVE_TARGET);
    await world.pass(world.freshness.refreshMs);
    await world.subject.execute();
    await settle();
    expect(await slugs()).toEqual([PRIME.slug, PARTNER.slug]);
  });

  it('T17 rejects if no pool can be read', async () => {
    const world = new StakingWorld();
    for (const pool of [PRIME, PARTNER]) world.lendingPools.set(pool, null);
    await expect(world.subject.execute()).rejects.toMatchObject({
      code: 'STAKING_DATA_UNAVAILABLE',
      details: { source: 'lending' },
    });
  });

  it('the first caller waits for the first read of the sources at most for the configured time', async () => {
    const world = new StakingWorld();
    world.lendingPools.silence();
    const first = world.subject.execute();
    await world.pass(world.freshness.waitMs - 1);
    expect((await now(first)).settled).toBe(false);
    await world.pass(1);
    await expect(first).rejects.toMatchObject({
      code: 'STAKING_DATA_UNAVAILABLE',
      details: { source: 'lending' },
    });
    // The read has already lasted longer than the maximum wait, so a second caller does not wait.
    expect((await now(world.subject.execute())).settled).toBe(true);

    world.lendingPools.answer();
    await settle();
    expect(await world.subject.execute()).toHaveLength(2);
    expect(world.lendingPools.reads).toBe(1);
  });

  it('only the first caller waits for a reward programme that does not respond', async () => {
    const world = new StakingWorld();
    world.rewards.silence();
    const first = world.subject.execute();
    await world.pass(world.freshness.waitMs);
    expect(await first).toMatchObject([{ btcFiAprE36: null }, { btcFiAprE36: null }]);
    expect((await now(world.subject.execute())).settled).toBe(true);

    world.rewards.fail();
    world.rewards.answer();
    await settle();
    world.rewards.silence();
    await world.pass(world.freshness.refreshMs);
    world.publish();
    expect((await now(world.subject.execute())).settled).toBe(true);
  });

  it('returns current values, not old values, to the first caller after a long time without callers', async () => {
    const world = new StakingWorld();
    await world.subject.execute();
    await world.pass(100 * 24 * 3_600_000);
    world.publish();
    world.rewards.set(PARTNER.pool, 7n);
    expect(await world.subject.execute()).toMatchObject([
      { blockNumber: 3 },
      { btcFiAprE36: 7n * 10n ** 18n },
    ]);
  });

  it('no timer is still running when the list of staking pools has been returned', async () => {
    const world = new StakingWorld();
    await world.subject.execute();
    expect(world.clock.sleeping).toBe(0);
  });

  it('rejects if the node has stopped at a block that is older than the maximum age', async () => {
    const world = new StakingWorld();
    await world.subject.execute();
    await world.pass(world.freshness.maxLendingAgeMs);
    await world.subject.execute();
    await settle();
    await world.pass(1_000);
    await expect(world.subject.execute()).rejects.toMatchObject({ details: { source: 'lending' } });
  });

  it.each([
    ['one that is too old', (nowMs: number) => ({ usdE8: 1n, observedAtMs: nowMs - 14_400_001 })],
    ['one from the future', (nowMs: number) => ({ usdE8: 1n, observedAtMs: nowMs + 14_400_001 })],
    ['none', () => null],
  ])('a BTC price is used only if it exists and is recent: not %s', async (_what, price) => {
    const world = new StakingWorld();
    world.btcPrice.set(price(world.clock.nowMs()));
    await expect(world.subject.execute()).rejects.toMatchObject({ details: { source: 'price' } });
  });

  it('a known BTC price is not replaced by an older price', async () => {
    const world = new StakingWorld();
    await world.subject.execute();
    await world.pass(world.freshness.refreshMs);
    world.btcPrice.set({ usdE8: 1n, observedAtMs: 0 });
    await world.subject.execute();
    await settle();
    expect(await world.subject.execute()).toMatchObject([
      { btcUsdE8: USD_100_000 },
      { btcUsdE8: USD_100_000 },
    ]);
  });

  it.each(SOURCES)(
    'rethrows an unexpected error of %s unchanged if no earlier value is known',
    async (broken) => {
      const world = new StakingWorld();
      const bug = new TypeError('no such thing');
      world[broken].fail(bug);
      expect(await failure(world.subject.execute())).toBe(bug);
    },
  );

  it('logs the source and the error code of a failed background read', async () => {
    const lines: (readonly [string, LogFields])[] = [];
    const note =
      (level: string) =>
      (fields: LogFields): void =>
        void lines.push([level, fields]);
    const logger: Logger = {
      debug: note('debug'),
      info: note('info'),
      warn: note('warn'),
      error: note('error'),
    };
    const world = new StakingWorld();
    const subject = new ListStakingPools(
      world,
      { pools: [PRIME], freshness: world.freshness },
      world.clock,
      logger,
    );
    world.rewards.fail();
    const bug = new TypeError('no such thing');
    world.btcPrice.fail(bug);
    await failure(subject.execute());
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual(['error', { source: 'price', error: bug }]);
    expect(lines).toContainEqual(['warn', { source: 'rewards', code: 'FAKE_UPSTREAM_DOWN' }]);
  });
});
