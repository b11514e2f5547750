import type { Felt } from '@sotto/kernel';
import { leavesLeft, type DepositReader, type PoolStatusReader } from '@sotto/relayer-core';

/**
 * Leaves that pools had left when they were read last. Asks nothing itself: it sees what others
 * read.
 */
export class RememberedLeaves {
  readonly #left = new Map<Felt, number>();

  /** The same reader; the leaf counts that it returns are remembered. */
  watchStatuses(reader: PoolStatusReader): PoolStatusReader {
    return {
      poolStatus: async (pool) => {
        const status = await reader.poolStatus(pool);
        this.#left.set(pool, leavesLeft(status.nextIndex, 0));
        return status;
      },
    };
  }

  watchDeposits(reader: DepositReader): DepositReader {
    return {
      depositFacts: async (question) => {
        const facts = await reader.depositFacts(question);
        this.#left.set(question.pool, leavesLeft(facts.nextIndex, 0));
        return facts;
      },
    };
  }

  /** Undefined before the pool was read for the first time. */
  left(pool: Felt): number | undefined {
    return this.#left.get(pool);
  }
}
