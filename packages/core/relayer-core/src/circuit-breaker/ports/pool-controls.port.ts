import type { Felt } from '@sotto/kernel';
import type { PoolControl } from '../domain/pool-circuit-breaker.js';

export type { PoolControl } from '../domain/pool-circuit-breaker.js';

/**
 * Pauses and upstream failures of pools, durable and shared by all instances. Each call is one
 * write. Rejects with a `DomainError` if the store is unavailable.
 */
export abstract class PoolControls {
  /** Returns the state of every pool that has one. */
  abstract all(): Promise<readonly PoolControl[]>;
  /** Pauses the pool until it is resumed. If it is paused already, only the reason changes. */
  abstract pause(pool: Felt, reason: string, nowMs: number): Promise<void>;
  /** Ends the operator's pause and resets every run of failures: runs count from this time. */
  abstract resume(pool: Felt, nowMs: number): Promise<void>;
  /**
   * Counts another admission that could not be judged because of node or prices, unless more than
   * `atMost` are counted already.
   */
  abstract upstreamFailed(pool: Felt, nowMs: number, atMost: number): Promise<void>;
  /** Resets the count of such admissions. */
  abstract upstreamAnswered(pool: Felt): Promise<void>;
}
