import type { Felt } from '@sotto/kernel';
import type { PoolControl } from '../domain/pool-circuit-breaker.js';

export type { PoolControl } from '../domain/pool-circuit-breaker.js';

/**
 * What is decided and noticed about pools, durable and shared by all instances. Each call is one
 * write. Rejects with a `DomainError` when the store can't answer.
 */
export abstract class PoolControls {
  /** Of every pool about which something was written. */
  abstract all(): Promise<readonly PoolControl[]>;
  /**
   * Pauses the pool until it is resumed; a pool that is paused keeps its moment and gets the new
   * reason.
   */
  abstract pause(pool: Felt, reason: string, nowMs: number): Promise<void>;
  /** Ends the operator's pause and every run of failures: runs count from this moment again. */
  abstract resume(pool: Felt, nowMs: number): Promise<void>;
  /**
   * Counts one more admission that node or prices kept from being judged, unless more than `atMost`
   * are counted already.
   */
  abstract upstreamFailed(pool: Felt, nowMs: number, atMost: number): Promise<void>;
  /** Ends the run of such failures. */
  abstract upstreamAnswered(pool: Felt): Promise<void>;
}
