import type { Felt } from '@sotto/kernel';
import type { PoolControl } from '../domain/pool-circuit-breaker.js';

export type { PoolControl } from '../domain/pool-circuit-breaker.js';

/**
 * Stores pauses and upstream failures of pools. The data is durable and shared by all instances.
 * Each call is one write. Methods reject with a `DomainError` if the store is unavailable.
 */
export abstract class PoolControls {
  /** Returns the stored state of every pool for which a state is stored. */
  abstract all(): Promise<readonly PoolControl[]>;
  /**
   * Pauses the pool until it is resumed. If the pool is already paused, only the reason changes.
   */
  abstract pause(pool: Felt, reason: string, nowMs: number): Promise<void>;
  /**
   * Ends the operator's pause and resets all counts of consecutive failures, because failures
   * before this time are ignored.
   */
  abstract resume(pool: Felt, nowMs: number): Promise<void>;
  /**
   * Increases by one the number of consecutive admissions that failed because node or prices were
   * unreadable. The number does not change if it is already above `atMost`.
   */
  abstract upstreamFailed(pool: Felt, nowMs: number, atMost: number): Promise<void>;
  /** Resets the number of admissions that failed because node or prices were unreadable. */
  abstract upstreamAnswered(pool: Felt): Promise<void>;
}
