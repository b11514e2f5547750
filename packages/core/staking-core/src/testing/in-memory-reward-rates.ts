import type { LendingPool } from '../ports/lending-pool-reader.port.js';
import type { RewardRate, RewardRates } from '../ports/reward-rates.port.js';
import { ScriptedSource } from './scripted-sources.js';

/**
 * Reward rates in memory. A test can pass the same rates to a second use case, to simulate a store
 * that survives a restart.
 */
export class InMemoryRewardRates extends ScriptedSource implements RewardRates {
  readonly #rates = new Map<string, RewardRate>();

  async last(pool: LendingPool): Promise<RewardRate | null> {
    return this.read(() => this.#rates.get(nameOf(pool)) ?? null);
  }

  async keep(pool: LendingPool, rate: RewardRate): Promise<void> {
    return this.read(() => void this.#rates.set(nameOf(pool), rate));
  }
}

const nameOf = ({ pool, asset }: LendingPool): string => `${pool}|${asset}`;
