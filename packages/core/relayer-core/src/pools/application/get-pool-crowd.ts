import { Cached, type Clock, type Felt } from '@sotto/kernel';
import { crowdOf, type Crowd, type PoolCrowd } from '../domain/crowd.js';
import { denominatedPool, type NotePool, type PoolStatus } from '../domain/pool.js';
import type { DeployedLeaves, PoolEvents } from '../ports/pool-events.port.js';

type Counts = Pick<PoolStatus, 'nextIndex' | 'undeployedCount'>;

interface KnownCrowd {
  /** Time of the read by the wall clock, in Unix milliseconds. */
  readonly readAtMs: number;
  readonly oldestWaitingSeconds: number | null;
  readonly batches: readonly DeployedLeaves[];
}

/**
 * Maximum age of a cached crowd, in milliseconds. After a reorg, the same counts may result from
 * different events.
 */
const FRESH_MS = 60_000;

/**
 * Returns the crowd in which withdrawals from a pool hide. The pool's events are read again when
 * its counts have changed, and every minute. One crowd is cached per served pool.
 */
export class GetPoolCrowd {
  /** Cached crowds. The version of an entry consists of the pool's counts. */
  readonly #crowds: Cached<KnownCrowd>;

  /** @param smallBatchBelow number of deposits below which a batch gets a warning */
  constructor(
    private readonly events: Pick<PoolEvents, 'agesOf' | 'batchesOf'>,
    private readonly clock: Clock,
    private readonly pools: readonly NotePool[],
    private readonly smallBatchBelow: number,
  ) {
    this.#crowds = new Cached({ clock, freshMs: FRESH_MS });
  }

  /**
   * Returns the crowd of a pool.
   * @param counts counts of the pool, from the pool's status
   * @throws PoolNotSupported, PoolWithoutDenomination, or the error of a read
   */
  async execute(poolAddress: Felt, counts: Counts): Promise<PoolCrowd> {
    const { readAtMs, oldestWaitingSeconds, batches } = await this.#known(poolAddress, counts);
    const sinceSeconds = Math.floor((this.clock.nowMs() - readAtMs) / 1_000);
    return {
      oldestWaitingSeconds:
        oldestWaitingSeconds === null ? null : oldestWaitingSeconds + Math.max(0, sinceSeconds),
      lastBatchSize: batches.at(-1)?.size ?? null,
      smallestBatchSize:
        batches.length === 0
          ? null
          : batches.reduce((smallest, { size }) => Math.min(smallest, size), Infinity),
    };
  }

  /**
   * Returns the crowd of the batch whose first leaf is `batchStart`; null if no batch begins at
   * this leaf.
   * @throws the errors of {@link execute}
   */
  async ofBatch(poolAddress: Felt, batchStart: number, counts: Counts): Promise<Crowd | null> {
    const { batches } = await this.#known(poolAddress, counts);
    const batch = batches.find(({ start }) => start === batchStart);
    return batch === undefined ? null : crowdOf(batch.size, this.smallBatchBelow);
  }

  async #known(poolAddress: Felt, { nextIndex, undeployedCount }: Counts): Promise<KnownCrowd> {
    const { address } = denominatedPool(this.pools, poolAddress);
    const read = async (): Promise<KnownCrowd> => {
      const ages =
        undeployedCount === 0
          ? []
          : await this.events.agesOf(address, nextIndex - undeployedCount, 1);
      return {
        readAtMs: this.clock.nowMs(),
        oldestWaitingSeconds: ages[0] ?? null,
        batches: await this.events.batchesOf(address),
      };
    };
    return this.#crowds.get(address, read, `${nextIndex}|${undeployedCount}`);
  }
}
