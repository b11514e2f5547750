import type { Clock } from '@sotto/kernel';
import type { LendingPool } from '../domain/lending-pool.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';
import type { RewardRate, RewardRates } from '../ports/reward-rates.port.js';

/** Milliseconds until a failed load from the store is repeated. */
const RETRY_MS = 10_000;
/**
 * Milliseconds after which an unchanged rate is stored again, so that its stored time remains
 * recent.
 */
const KEEP_MS = 60_000;

export interface LastRewardRatePorts {
  readonly rewards: RewardProgramme;
  readonly rates: RewardRates;
  readonly clock: Clock;
}

/**
 * Last reward rate of one pool: the rate that this process has read. Before the first read, it is
 * the rate in the store.
 */
export class LastRewardRate {
  #rate: RewardRate | null = null;
  #hasRead = false;
  #isLoaded = false;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  #kept: { readonly aprE18: bigint; readonly atMs: number } | null = null;

  /**
   * @param onFailure called with each failure of the store; a rate that can't be stored is still
   *   used
   */
  constructor(
    private readonly ports: LastRewardRatePorts,
    private readonly pool: LendingPool,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Last known rate; null if no rate was ever read. */
  get rate(): RewardRate | null {
    return this.#rate;
  }

  /**
   * Reads the rate from the programme and stores it. Returns null if no programme is configured for
   * the pool.
   */
  async read(): Promise<bigint | null> {
    const { rewards, clock } = this.ports;
    const aprE18 = await rewards.supplyAprE18(this.pool);
    if (aprE18 === null) return null;
    const rate = { aprE18, readAtMs: clock.nowMs() };
    this.#rate = rate;
    this.#hasRead = true;
    await this.#keep(rate);
    return aprE18;
  }

  /** Loads the stored rate, once per process. Never rejects. */
  async load(): Promise<void> {
    const { rates, clock } = this.ports;
    if (this.#isLoaded || this.#hasRead || clock.monotonicMs() < this.#retryAtMs) return;
    try {
      const rate = await rates.last(this.pool);
      this.#isLoaded = true;
      // Do not replace a newer rate: a read may have ended during the load.
      if (!this.#hasRead) this.#rate = rate;
    } catch (error) {
      this.#retryAtMs = clock.monotonicMs() + RETRY_MS;
      this.onFailure(error);
    }
  }

  async #keep(rate: RewardRate): Promise<void> {
    const nowMs = this.ports.clock.monotonicMs();
    const isKept = this.#kept?.aprE18 === rate.aprE18 && nowMs - this.#kept.atMs < KEEP_MS;
    if (isKept) return;
    try {
      await this.ports.rates.keep(this.pool, rate);
      this.#kept = { aprE18: rate.aprE18, atMs: nowMs };
    } catch (error) {
      this.onFailure(error);
    }
  }
}
