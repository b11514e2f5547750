import type { OrderedEvent } from './call.js';
import type { ExecutionResult } from './execute.js';
import type { GasPrices, GasUsed } from './fee.js';
import type { InvokeTransaction } from './transaction.js';

/** Finality of a block. */
export type BlockStatus = 'PRE_CONFIRMED' | 'ACCEPTED_ON_L2' | 'ACCEPTED_ON_L1';

/**
 * Executed transaction in its block. A reverted transaction has paid its fee, like a successful
 * one.
 */
export interface Inclusion {
  readonly transaction: InvokeTransaction;
  /** Revert reason; undefined if the execution succeeded. */
  readonly revertReason: string | undefined;
  readonly used: GasUsed;
  readonly feeFri: bigint;
  readonly events: readonly OrderedEvent[];
}

/** Properties of a block that are fixed when its first transaction is included. */
export interface BlockHeader {
  readonly number: number;
  readonly timestampSeconds: number;
  readonly prices: GasPrices;
}

/** A closed block. */
export interface AcceptedBlock extends BlockHeader {
  readonly hash: bigint;
  readonly parentHash: bigint;
  readonly inclusions: readonly Inclusion[];
}

/**
 * Returns the summary of an execution without its trace. A trace contains the calldata several
 * times.
 */
export function toInclusion(
  transaction: InvokeTransaction,
  { outcome, used, fee, events }: ExecutionResult,
): Inclusion {
  return {
    transaction,
    revertReason: outcome.status === 'REVERTED' ? outcome.reason : undefined,
    used,
    feeFri: fee,
    events,
  };
}
