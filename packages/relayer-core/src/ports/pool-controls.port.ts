import type { Felt } from '@sotto/kernel';
import type { PoolControl } from '../domain/pool-circuit-breaker.js';

export type { PoolControl } from '../domain/pool-circuit-breaker.js';

/**
 * What is decided and noticed about pools, durable and shared by all instances. Each call is one write; concurrent ones count each failure.
 * Rejects with a `Fault` when the store can't answer.
 */
export interface PoolControls {
  /** Of every pool about which something was written. */
  all(): Promise<readonly PoolControl[]>;
  /** Pauses the pool until it is resumed; a pool that is paused keeps its moment and gets the new reason. */
  pause(pool: Felt, reason: string, nowMs: number): Promise<void>;
  /** Ends the operator's pause and every run of failures: runs count from this moment again. */
  resume(pool: Felt, nowMs: number): Promise<void>;
  /** One more admission that node or prices kept from being judged. */
  upstreamFailed(pool: Felt, nowMs: number): Promise<void>;
  /** Ends the run of such failures. */
  upstreamAnswered(pool: Felt): Promise<void>;
}

export const PoolControls: unique symbol = Symbol.for('@sotto/relayer-core/PoolControls');
