import type { Felt } from '@sotto/kernel';
import { leavesLeft, type PoolReader } from '@sotto/relayer-core';

/**
 * Remembers the free leaves of pools at their last read. Sends no requests: it observes the reads
 * of other code.
 */
export class RememberedLeaves {
  readonly #left = new Map<Felt, number>();

  /** Wraps the reader so that the leaf counts of each read are remembered. */
  watch(reader: PoolReader): PoolReader {
    return {
      poolStatus: async (pool) => {
        const status = await reader.poolStatus(pool);
        this.#left.set(pool, leavesLeft(status.nextIndex, 0));
        return status;
      },
      depositFacts: async (question) => {
        const facts = await reader.depositFacts(question);
        this.#left.set(question.pool, leavesLeft(facts.nextIndex, 0));
        return facts;
      },
      preConfirmedWaiting: (pool) => reader.preConfirmedWaiting(pool),
      withdrawalFacts: (pool, withdrawal) => reader.withdrawalFacts(pool, withdrawal),
      nullifierSpent: (pool, nullifierHash) => reader.nullifierSpent(pool, nullifierHash),
      leaf: (swapPool, leafIndex) => reader.leaf(swapPool, leafIndex),
      figures: (swapPool) => reader.figures(swapPool),
      hasCommitment: (swapPool, commitment) => reader.hasCommitment(swapPool, commitment),
    };
  }

  /** Returns the number of free leaves; undefined before the first read of the pool. */
  left(pool: Felt): number | undefined {
    return this.#left.get(pool);
  }
}
