import type { Felt } from '@sotto/kernel';
import type { LendingPool } from '../ports/lending-pool-reader.port.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';
import { ScriptedSource } from './scripted-source.js';

/** A programme whose rates a test sets; every other pool has none. */
export class FixedRewards extends ScriptedSource implements RewardProgramme {
  readonly #rates = new Map<Felt, bigint>();

  set(pool: Felt, aprE18: bigint): void {
    this.#rates.set(pool, aprE18);
  }

  async supplyAprE18({ pool }: LendingPool): Promise<bigint> {
    return this.read(() => this.#rates.get(pool) ?? 0n);
  }
}
