import { toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  ListStakingPools,
  STAKING_FRESHNESS,
  type LendingPoolState,
  type StakingFreshness,
  type StakingPoolTerms,
} from '@sotto/staking-core';
import {
  FixedBtcPrice,
  FixedRewards,
  InMemoryLendingPools,
  InMemoryRewardRates,
} from '@sotto/staking-core/testing';

const asset = toFelt('0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac');

export const PRIME: StakingPoolTerms = {
  slug: 'prime',
  name: 'Prime',
  pool: toFelt('0x451fe483d5921a2919ddd81d0de6696669bccdacd859f72a4fba7656b97c3b5'),
  asset,
  vaultToken: toFelt('0x4ecb0667140b9f45b067d026953ed79f22723f1cfac05a7b26c3ac06c88f56c'),
  vaultTokenSymbol: 'vWBTC',
  risk: { label: 'Low', level: 1 },
};
export const PARTNER: StakingPoolTerms = {
  slug: 'partner-xbtc',
  name: 'Partner xBTC',
  pool: toFelt('0x3a8416bf20d036df5b1cf3447630a2e1cb04685f6b0c3a70ed7fb1473548ecf'),
  asset,
  vaultToken: toFelt('0x131cc09160f144ec5880a0bc1a0633999030fa6a546388b5d0667cb171a52a0'),
  vaultTokenSymbol: 'vWBTC-xBTC',
  risk: { label: 'Low-Medium', level: 2 },
};

const EMPTY: LendingPoolState = {
  reserve: 0n,
  totalNominalDebtE18: 0n,
  rateAccumulatorE18: 10n ** 18n,
  scale: 10n ** 8n,
  interestRateE18: 0n,
};

/** Pool in which 123 BTC are not lent out, and no BTC is borrowed. */
export const IDLE: LendingPoolState = { ...EMPTY, reserve: 12_300_000_000n };
/**
 * Pool in which 60 BTC are not lent out. A nominal debt of 32 BTC has grown by a quarter to 40 BTC.
 * The interest rate is 2e-9 per second.
 */
export const NORMAL: LendingPoolState = {
  ...EMPTY,
  reserve: 6_000_000_000n,
  totalNominalDebtE18: 32n * 10n ** 18n,
  rateAccumulatorE18: 125n * 10n ** 16n,
  interestRateE18: 2_000_000_000n,
};
/**
 * Pool in which 10 BTC are not lent out and 90 BTC are lent out. The interest rate is 12e-9 per
 * second.
 */
export const ABOVE_TARGET: LendingPoolState = {
  ...EMPTY,
  reserve: 1_000_000_000n,
  totalNominalDebtE18: 90n * 10n ** 18n,
  interestRateE18: 12_000_000_000n,
};

export const USD_100_000 = 100_000n * 10n ** 8n;

/** Use case with both supported pools and with sources that a test controls. */
export class StakingWorld {
  readonly clock = new ManualClock();
  readonly lendingPools = new InMemoryLendingPools();
  readonly btcPrice = new FixedBtcPrice();
  readonly rewards = new FixedRewards();
  readonly rates: InMemoryRewardRates;
  readonly freshness: StakingFreshness;
  readonly subject: ListStakingPools;

  /** @param rates stored rates; to simulate a restart, pass the rates of another world */
  constructor(freshness: Partial<StakingFreshness> = {}, rates = new InMemoryRewardRates()) {
    this.rates = rates;
    this.freshness = { ...STAKING_FRESHNESS, ...freshness };
    this.subject = new ListStakingPools(
      this,
      { pools: [PRIME, PARTNER], freshness: this.freshness },
      this.clock,
    );
    this.lendingPools.set(PRIME, NORMAL);
    this.lendingPools.set(PARTNER, ABOVE_TARGET);
    this.rewards.set(PARTNER.pool, 15n * 10n ** 15n);
    this.publish();
  }

  /** Publishes a block and a price at the current time. */
  publish(usdE8: bigint = USD_100_000): void {
    this.lendingPools.mine(Math.floor(this.clock.nowMs() / 1_000));
    this.btcPrice.set({ usdE8, observedAtMs: this.clock.nowMs() });
  }

  /**
   * Completes the started reads, advances the clock, and completes the reads that start after that.
   */
  async pass(ms: number): Promise<void> {
    await settle();
    this.clock.advance(ms);
    await settle();
  }
}

/** Waits until all work is finished or waits for the test. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Returns whether the promise has settled, and its value. */
export async function now<T>(
  promise: Promise<T>,
): Promise<{ readonly settled: boolean; readonly value?: T; readonly error?: unknown }> {
  let outcome: { settled: boolean; value?: T; error?: unknown } = { settled: false };
  promise.then(
    (value) => (outcome = { settled: true, value }),
    (error: unknown) => (outcome = { settled: true, error }),
  );
  await settle();
  return outcome;
}
