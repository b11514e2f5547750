import { CODES_OF } from '@sotto/facts';
import type { Clock, Felt } from '@sotto/kernel';
import { PoolNotSupported } from '../../errors.js';
import type { RelayedPool } from '../../pools/domain/pool.js';
import type { PoolControls } from '../ports/pool-controls.port.js';
import type { SettlementWindow } from './settlement-window.js';
import type { GuardedPool, PoolCircuitBreaker } from './pool-circuit-breaker.js';

/**
 * Pauses and resumes pools for the operator. Decisions are durable and reach all instances within
 * seconds.
 */
export class ControlPools {
  /** Error codes of the API route that controls pools. */
  static readonly throws = CODES_OF.poolControl;

  constructor(
    private readonly guard: Pick<PoolCircuitBreaker, 'pools'>,
    private readonly controls: PoolControls,
    private readonly view: Pick<SettlementWindow, 'forget'>,
    private readonly clock: Clock,
    private readonly pools: readonly RelayedPool[],
  ) {}

  /**
   * Stops new attempts in the pool. Accepted attempts continue.
   * @param reason text that is published
   * @throws PoolNotSupported
   */
  async pause(poolName: string, reason: string): Promise<GuardedPool> {
    const { address } = this.#named(poolName);
    await this.controls.pause(address, reason, this.clock.nowMs());
    return this.#after(address);
  }

  /**
   * Ends the operator's pause and resets all counts of consecutive failures. A pause by
   * configuration is not ended.
   * @throws PoolNotSupported
   */
  async resume(poolName: string): Promise<GuardedPool> {
    const { address } = this.#named(poolName);
    await this.controls.resume(address, this.clock.nowMs());
    return this.#after(address);
  }

  async list(): Promise<readonly GuardedPool[]> {
    return this.guard.pools();
  }

  #named(name: string): RelayedPool {
    const pool = this.pools.find(({ key, address }) => name === key || name === address);
    if (pool === undefined) throw new PoolNotSupported();
    return pool;
  }

  async #after(address: Felt): Promise<GuardedPool> {
    this.view.forget();
    const found = (await this.guard.pools()).find(({ pool }) => pool.address === address);
    if (found === undefined) throw new Error('the guard does not know a served pool');
    return found;
  }
}
