import { Cached, type Clock, type Felt } from '@sotto/kernel';
import { crowdOf, type Crowd, type PoolCrowd } from '../domain/crowd.js';
import { denominatedPool, type NotePool, type PoolStatus } from '../domain/pool.js';
import type { DeployedLeaves, PoolEvents } from '../ports/pool-events.port.js';

type Counts = Pick<PoolStatus, 'nextIndex' | 'undeployedCount'>;

interface KnownCrowd {
  /** By the wall clock. */
  readonly readAtMs: number;
  readonly oldestWaitingSeconds: number | null;
  readonly batches: readonly DeployedLeaves[];
}

/** A rollback may put other events behind the same counts. */
const FRESH_MS = 60_000;

/**
 * Returns the crowd that withdrawals from a pool hide in. Its events are read when its counts have
 * changed, and each minute; holds one answer per served pool.
 */
export class GetPoolCrowd {
  /** The version of what is known of a pool is its counts. */
  readonly #crowds: Cached<KnownCrowd>;

  /** @param smallBatchBelow batches of fewer deposits are warned of */
  constructor(
    private readonly events: Pick<PoolEvents, 'agesOf' | 'batchesOf'>,
    private readonly clock: Clock,
    private readonly pools: readonly NotePool[],
    private readonly smallBatchBelow: number,
  ) {
    this.#crowds = new Cached({ clock, freshMs: FRESH_MS });
  }

  /**
   * @param counts of the pool, as its status reports them
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
   * The batch whose first leaf is `batchStart`; null when none begins there.
   * @throws what {@link execute} throws
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
