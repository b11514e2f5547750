import { DomainError, silentLogger, type Clock, type Logger } from '@sotto/kernel';
import type { LendingSnapshot } from '../domain/lending-pool.js';
import { stakingPool, type StakingPool, type StakingPoolTerms } from '../domain/staking-pool.js';
import { StakingDataUnavailable } from '../errors.js';
import type { BtcPriceSource } from '../ports/btc-price-source.port.js';
import type { LendingPoolReader } from '../ports/lending-pool-reader.port.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';
import { RefreshingValue, type Timestamped, type Kept } from './refreshing-value.js';

export interface StakingSources {
  readonly lendingPools: LendingPoolReader;
  readonly btcPrice: BtcPriceSource;
  readonly rewards: RewardProgramme;
}

/** How old returned values may be, and how often they are read again. */
export interface StakingFreshness {
  /** A source is asked at most this often. */
  readonly refreshMs: number;
  /** How long the first readers wait for sources of which nothing is known yet. */
  readonly waitMs: number;
  /** Highest age of the block that the pools were read at. */
  readonly maxLendingAgeMs: number;
  /** Highest age of the oracle's newest publication. */
  readonly maxPriceAgeMs: number;
  /** Highest age of a reward rate since it was read. */
  readonly maxRewardsAgeMs: number;
}

export interface StakingPolicy {
  /** In the order of the reply. */
  readonly pools: readonly StakingPoolTerms[];
  readonly freshness: StakingFreshness;
}

/**
 * The limit for prices is that of the lending protocol itself; the rest suits a reply that caches
 * keep for 30 s.
 */
export const STAKING_FRESHNESS: StakingFreshness = {
  refreshMs: 10_000,
  waitMs: 3_000,
  maxLendingAgeMs: 10 * 60_000,
  maxPriceAgeMs: 14_400_000,
  maxRewardsAgeMs: 24 * 3_600_000,
};

type Source = 'lending' | 'price' | 'rewards';

/**
 * Returns the yields of the supported pools, from the last values of its sources. It reads in the
 * background while it returns older values, so a slow or failing source delays no caller until its
 * last values are too old.
 */
export class ListStakingPools {
  readonly #snapshot: RefreshingValue<LendingSnapshot>;
  readonly #btcUsdE8: RefreshingValue<bigint>;
  readonly #pools: readonly {
    readonly terms: StakingPoolTerms;
    readonly rewardAprE18: RefreshingValue<bigint>;
  }[];

  constructor(
    private readonly sources: StakingSources,
    private readonly policy: StakingPolicy,
    private readonly clock: Clock,
    private readonly logger: Logger = silentLogger,
  ) {
    const { pools, freshness } = policy;
    this.#snapshot = this.#keep('lending', freshness.maxLendingAgeMs, async () =>
      this.#readPools(),
    );
    this.#btcUsdE8 = this.#keep('price', freshness.maxPriceAgeMs, async () => this.#readPrice());
    this.#pools = pools.map((terms) => {
      const read = async (): Promise<Timestamped<bigint>> => ({
        value: await sources.rewards.supplyAprE18(terms),
        asOfMs: clock.nowMs(),
      });
      return { terms, rewardAprE18: this.#keep('rewards', freshness.maxRewardsAgeMs, read) };
    });
  }

  /**
   * The pools in the policy's order. Without a reward rate ever known it counts as 0; one that was
   * known is never replaced by 0.
   * @throws StakingDataUnavailable when something else was never known, or anything is too old
   */
  async execute(): Promise<readonly StakingPool[]> {
    const [snapshot, price, ...rewards] = await Promise.all([
      this.#snapshot.get(),
      this.#btcUsdE8.get(),
      ...this.#pools.map(async ({ rewardAprE18 }) => rewardAprE18.get()),
    ]);
    const { blockNumber, pools: states } = this.#valueOf('lending', snapshot);
    const btcUsdE8 = this.#valueOf('price', price);
    return this.#pools.map(({ terms }, index) => {
      const state = states[index];
      const reward = rewards[index];
      if (state === undefined || reward === undefined)
        throw new Error('a supported pool was not read');
      return stakingPool(terms, {
        blockNumber,
        state,
        btcUsdE8,
        rewardAprE18: this.#rewardOf(reward),
      });
    });
  }

  #rewardOf(reward: Kept<bigint>): bigint {
    const isOutage =
      !reward.known &&
      !reward.hasEverSucceeded &&
      (reward.failure === null || reward.failure instanceof DomainError);
    return isOutage ? 0n : this.#valueOf('rewards', reward);
  }

  #valueOf<T>(source: Source, kept: Kept<T>): T {
    if (kept.known) return kept.value;
    const { failure: cause } = kept;
    if (cause !== null && !(cause instanceof DomainError)) throw cause;
    const retryAfterSeconds = Math.ceil(this.policy.freshness.refreshMs / 1_000);
    throw new StakingDataUnavailable({
      ...(cause === null ? {} : { cause }),
      details: { source },
      retryAfterSeconds,
    });
  }

  async #readPools(): Promise<Timestamped<LendingSnapshot>> {
    const value = await this.sources.lendingPools.readPools(this.policy.pools);
    // The block's time: a node that has stopped at an old block answers as readily as ever.
    return { value, asOfMs: value.timestampSeconds * 1_000 };
  }

  async #readPrice(): Promise<Timestamped<bigint>> {
    const price = await this.sources.btcPrice.btcPrice();
    if (price === null)
      throw new StakingDataUnavailable({ details: { source: 'price', reason: 'no price' } });
    return { value: price.usdE8, asOfMs: price.observedAtMs };
  }

  #keep<T>(
    source: Source,
    maxAgeMs: number,
    read: () => Promise<Timestamped<T>>,
  ): RefreshingValue<T> {
    const { refreshMs, waitMs } = this.policy.freshness;
    // Without rewards there is still an answer, so no caller waits for them again once they have
    // failed.
    const settings = { refreshMs, waitMs, maxAgeMs, waitAfterFailure: source !== 'rewards' };
    return new RefreshingValue(read, this.clock, settings, (error) => {
      if (error instanceof DomainError)
        this.logger.warn({ source, code: error.code }, 'a source of staking data fails');
      else this.logger.error({ source, error }, 'a source of staking data has a bug');
    });
  }
}
