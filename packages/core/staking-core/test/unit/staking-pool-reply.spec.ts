import { describe, expect, it } from '@jest/globals';
import { stakingPoolReply } from '@sotto/staking-core';
import { IDLE, PARTNER, PRIME, StakingWorld } from '../support/world.js';

describe('stakingPoolReply', () => {
  it('the reply contains all fields of the specification and the additional fields of this interface', async () => {
    const { subject, clock } = new StakingWorld();
    const now = Math.floor(clock.nowMs() / 1_000);
    const [prime, partner] = (await subject.execute()).map(stakingPoolReply);
    // The yields equal the yields in yields.spec.ts, in percent and rounded to the nearest double.
    // The supply is 100 BTC at 100,000 USD.
    expect(prime).toStrictEqual({
      slug: 'prime',
      name: 'Prime',
      poolId: PRIME.pool,
      supplyApy: 2.5673468738706253,
      btcFiApr: 0,
      totalApy: 2.5673468738706253,
      utilization: 0.4,
      tvlUsd: 10_000_000,
      totalSupplied: 100,
      btcPrice: 100_000,
      borrowApr: 6.2208,
      vaultTokenSymbol: 'vWBTC',
      vaultToken: PRIME.vaultToken,
      asset: PRIME.asset,
      risk: { label: 'Low', level: 1 },
      blockNumber: 2,
      asOf: now,
      rewardsApr: 0,
      rewardsAsOf: now,
      stale: false,
    });
    expect(partner).toStrictEqual({
      slug: 'partner-xbtc',
      name: 'Partner xBTC',
      poolId: PARTNER.pool,
      supplyApy: 40.720004833905996,
      btcFiApr: 1.5,
      totalApy: 42.220004833905996,
      utilization: 0.9,
      tvlUsd: 10_000_000,
      totalSupplied: 100,
      btcPrice: 100_000,
      borrowApr: 37.3248,
      vaultTokenSymbol: 'vWBTC-xBTC',
      vaultToken: PARTNER.vaultToken,
      asset: PARTNER.asset,
      risk: { label: 'Low-Medium', level: 2 },
      blockNumber: 2,
      asOf: now,
      rewardsApr: 1.5,
      rewardsAsOf: now,
      stale: false,
    });
  });

  it('the reply for a pool without loans contains zeros', async () => {
    const world = new StakingWorld();
    world.lendingPools.set(PRIME, IDLE);
    const [prime] = (await world.subject.execute()).map(stakingPoolReply);
    expect(prime).toMatchObject({
      supplyApy: 0,
      totalApy: 0,
      utilization: 0,
      borrowApr: 0,
      totalSupplied: 123,
      tvlUsd: 12_300_000,
    });
  });

  it('T17: an unknown reward rate is reported in a separate field, because btcFiApr can’t be null', async () => {
    const world = new StakingWorld();
    world.rewards.fail();
    const [prime] = (await world.subject.execute()).map(stakingPoolReply);
    expect(prime).toMatchObject({
      btcFiApr: 0,
      totalApy: 2.5673468738706253,
      rewardsApr: null,
      rewardsAsOf: null,
      stale: true,
    });
  });

  it('amounts in the reply are exact to the sat and the cent', async () => {
    const world = new StakingWorld();
    world.publish(9_765_432_109_876n);
    world.lendingPools.set(PRIME, { ...IDLE, reserve: 12_345_678_901n });
    const [prime] = (await world.subject.execute()).map(stakingPoolReply);
    // The value of 123.45678901 BTC at 97,654.32109876 USD is 12,056,088.9158044046926276 USD.
    expect(prime).toMatchObject({
      totalSupplied: 123.45678901,
      btcPrice: 97_654.32109876,
      tvlUsd: 12056088.915804405,
    });
  });
});
