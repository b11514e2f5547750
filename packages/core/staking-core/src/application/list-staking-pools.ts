import { CODES_OF } from '@sotto/facts';
import { DomainError, silentLogger, type Clock, type Logger } from '@sotto/kernel';
import type { LendingSnapshot } from '../domain/lending-pool.js';
import {
  stakingPool,
  type RewardFigure,
  type StakingPool,
  type StakingPoolTerms,
} from '../domain/staking-pool.js';
import { StakingDataUnavailable } from '../errors.js';
import type { BtcPriceSource } from '../ports/btc-price-source.port.js';
import type { LendingPoolReader } from '../ports/lending-pool-reader.port.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';
import type { RewardRate, RewardRates } from '../ports/reward-rates.port.js';
import { LastRewardRate } from './last-reward-rate.js';
import { RefreshingValue, type Timestamped, type Kept } from './refreshing-value.js';

export interface StakingSources {
  readonly lendingPools: LendingPoolReader;
  readonly btcPrice: BtcPriceSource;
  readonly rewards: RewardProgramme;
  /** Stores the last reward rate of each pool across restarts. */
  readonly rates: RewardRates;
}

/** Maximum ages of returned values, and the interval between reads. */
export interface StakingFreshness {
  /**
   * Minimum interval between two reads of a source whose last value is still used, in milliseconds.
   */
  readonly refreshMs: number;
  /** Maximum milliseconds for which the first readers wait for a source without a known value. */
  readonly waitMs: number;
  /** Maximum age of the block at which the pools were read, in milliseconds. */
  readonly maxLendingAgeMs: number;
  /** Maximum age of the oracle's newest publication, in milliseconds. */
  readonly maxPriceAgeMs: number;
  /**
   * Maximum time since a reward rate was read, in milliseconds. An older rate is treated as
   * unknown.
   */
  readonly maxRewardsAgeMs: number;
}

export interface StakingPolicy {
  /** Supported pools, in the order in which they are returned. */
  readonly pools: readonly StakingPoolTerms[];
  readonly freshness: StakingFreshness;
}

/**
 * Default times in milliseconds. The limit for prices is the lending protocol's own limit. The
 * other times are chosen for a reply that HTTP caches store for 30 s.
 */
export const STAKING_FRESHNESS: StakingFreshness = {
  refreshMs: 10_000,
  waitMs: 3_000,
  maxLendingAgeMs: 10 * 60_000,
  maxPriceAgeMs: 14_400_000,
  maxRewardsAgeMs: 24 * 3_600_000,
};

/** Number of missed reads after which a reward rate is reported as stale. */
const STALE_AFTER_REFRESHES = 3;

type Source = 'lending' | 'price' | 'rewards';

/**
 * Returns the yields of the supported pools, computed from the last value of each source. Reads run
 * in the background, and older values are returned until they end. A slow or failing source delays
 * callers only when its last value is too old.
 */
export class ListStakingPools {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.staking;

  readonly #snapshot: RefreshingValue<LendingSnapshot>;
  readonly #btcUsdE8: RefreshingValue<bigint>;
  readonly #pools: readonly {
    readonly terms: StakingPoolTerms;
    readonly last: LastRewardRate;
    /** Value whose reads fetch and store the reward rate. Starts a read if a read is due. */
    readonly refresh: RefreshingValue<bigint | null>;
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
      const last = new LastRewardRate({ ...sources, clock }, terms, (error) =>
        this.#report('rewards', error),
      );
      const read = async (): Promise<Timestamped<bigint | null>> => ({
        value: await last.read(),
        asOfMs: clock.nowMs(),
      });
      return { terms, last, refresh: this.#keep('rewards', freshness.maxRewardsAgeMs, read) };
    });
  }

  /**
   * Returns the pools in the policy's order, without unreadable pools. If a reward rate is unknown
   * or too old, only this rate is null; all other figures of the pool are returned.
   * @throws StakingDataUnavailable if pools or price were never known, or are too old
   */
  async execute(): Promise<readonly StakingPool[]> {
    const [snapshot, price, ...rewards] = await Promise.all([
      this.#snapshot.get(),
      this.#btcUsdE8.get(),
      ...this.#pools.map(async ({ last, refresh }) => {
        const [kept] = await Promise.all([refresh.get(), last.load()]);
        return kept;
      }),
    ]);
    const { blockNumber, timestampSeconds, pools: states } = this.#valueOf('lending', snapshot);
    const btcUsdE8 = this.#valueOf('price', price);
    return this.#pools.flatMap(({ terms, last }, index) => {
      const state = states[index];
      const reward = rewards[index];
      if (state === undefined || reward === undefined)
        throw new Error('a supported pool was not read');
      if (!reward.known && reward.failure !== null && !(reward.failure instanceof DomainError))
        throw reward.failure;
      if (state === null) return [];
      const figures = { blockNumber, timestampSeconds, state, btcUsdE8 };
      return [stakingPool(terms, { ...figures, reward: this.#rewardOf(last.rate) })];
    });
  }

  #rewardOf(rate: RewardRate | null): RewardFigure {
    if (rate === null) return { aprE18: null, readAtMs: null, isStale: true };
    const { refreshMs, maxRewardsAgeMs } = this.policy.freshness;
    // A rate whose time is in the future is treated like an old rate.
    const ageMs = Math.abs(this.clock.nowMs() - rate.readAtMs);
    const aprE18 = ageMs > maxRewardsAgeMs ? null : rate.aprE18;
    return { aprE18, readAtMs: rate.readAtMs, isStale: ageMs > STALE_AFTER_REFRESHES * refreshMs };
  }

  #valueOf<T>(source: Source, kept: Kept<T>): T {
    if (kept.known) return kept.value;
    const { failure: cause } = kept;
    if (cause !== null && !(cause instanceof DomainError)) throw cause;
    throw new StakingDataUnavailable({
      ...(cause === null ? {} : { cause }),
      details: { source },
      retryAfterSeconds: this.#refreshSeconds(),
    });
  }

  #refreshSeconds(): number {
    return Math.ceil(this.policy.freshness.refreshMs / 1_000);
  }

  async #readPools(): Promise<Timestamped<LendingSnapshot>> {
    const { pools } = this.policy;
    const value = await this.sources.lendingPools.readPools(pools);
    const unreadable = pools.filter((_, index) => value.pools[index] === null);
    for (const { slug } of unreadable)
      this.logger.warn({ source: 'lending', pool: slug }, 'a lending pool cannot be read');
    // Use the block's time: a node that has stopped at an old block still responds.
    return { value, asOfMs: value.timestampSeconds * 1_000 };
  }

  async #readPrice(): Promise<Timestamped<bigint>> {
    const price = await this.sources.btcPrice.btcPrice();
    if (price === null)
      throw new StakingDataUnavailable({
        details: { source: 'price', reason: 'no price' },
        retryAfterSeconds: this.#refreshSeconds(),
      });
    return { value: price.usdE8, asOfMs: price.observedAtMs };
  }

  #keep<T>(
    source: Source,
    maxAgeMs: number,
    read: () => Promise<Timestamped<T>>,
  ): RefreshingValue<T> {
    const { refreshMs, waitMs } = this.policy.freshness;
    // A reply without rewards is still useful, so no caller waits for rewards again after a failed
    // read.
    const settings = { refreshMs, waitMs, maxAgeMs, waitAfterFailure: source !== 'rewards' };
    return new RefreshingValue(read, this.clock, settings, (error) => this.#report(source, error));
  }

  #report(source: Source, error: unknown): void {
    if (error instanceof DomainError)
      this.logger.warn({ source, code: error.code }, 'a source of staking data fails');
    else {
      const bug = error instanceof Error ? error : new Error('the thrown value is not an error');
      this.logger.error({ source, error: bug }, 'a source of staking data has a bug');
    }
  }
}
