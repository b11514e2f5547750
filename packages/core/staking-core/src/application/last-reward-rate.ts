import type { Clock } from '@sotto/kernel';
import type { LendingPool } from '../domain/lending-pool.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';
import type { RewardRate, RewardRates } from '../ports/reward-rates.port.js';

/** Wait before a failed load from the store is repeated, in milliseconds. */
const RETRY_MS = 10_000;
/**
 * Interval after which an unchanged rate is stored again, so that its stored time is recent, in
 * milliseconds.
 */
const KEEP_MS = 60_000;

export interface LastRewardRatePorts {
  readonly rewards: RewardProgramme;
  readonly rates: RewardRates;
  readonly clock: Clock;
}

/** Last reward rate of one pool: the one read by this process, or else the stored one. */
export class LastRewardRate {
  #rate: RewardRate | null = null;
  #hasRead = false;
  #isLoaded = false;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  #kept: { readonly aprE18: bigint; readonly atMs: number } | null = null;

  /** @param onFailure receives failures of the store: a rate is used even if it can't be stored */
  constructor(
    private readonly ports: LastRewardRatePorts,
    private readonly pool: LendingPool,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Last rate; null if none was ever read. */
  get rate(): RewardRate | null {
    return this.#rate;
  }

  /** Reads the rate from the programme and stores it; null if no programme is configured. */
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

  /** Loads the stored rate, once. Never rejects. */
  async load(): Promise<void> {
    const { rates, clock } = this.ports;
    if (this.#isLoaded || this.#hasRead || clock.monotonicMs() < this.#retryAtMs) return;
    try {
      const rate = await rates.last(this.pool);
      this.#isLoaded = true;
      // A read may have ended during the load.
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
