import type { Felt } from '@sotto/kernel';
import { leavesLeft, type PoolReader } from '@sotto/relayer-core';

/**
 * Leaves that pools had left when they were read last. Asks nothing itself: it sees what others
 * read.
 */
export class RememberedLeaves {
  readonly #left = new Map<Felt, number>();

  /** The same reader; the leaf counts that it returns are remembered. */
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

  /** Undefined before the pool was read for the first time. */
  left(pool: Felt): number | undefined {
    return this.#left.get(pool);
  }
}
