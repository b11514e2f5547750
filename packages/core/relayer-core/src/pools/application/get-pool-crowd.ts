import type { Clock, Felt } from '@sotto/kernel';
import { crowdOf, type Crowd, type PoolCrowd } from '../domain/crowd.js';
import { denominatedPool, type NotePool } from '../domain/pool.js';
import type { PoolStatus } from '../domain/pool-status.js';
import type { DeployedLeaves } from '../../deposits/ports/pool-deposits.port.js';
import type { PoolHistory } from '../ports/pool-history.port.js';
import { SingleFlight } from '../../relay/application/single-flight.js';

type Counts = Pick<PoolStatus, 'nextIndex' | 'undeployedCount'>;

interface Remembered {
  readonly counts: string;
  readonly readAtMs: number;
  readonly oldestWaitingSeconds: number | null;
  readonly batches: readonly DeployedLeaves[];
}

/** A rollback may put other events behind the same counts. */
const KEPT_MS = 60_000;

/**
 * Returns the crowd that withdrawals from a pool hide in. Its events are read when its counts have
 * changed, and each minute; holds one answer per served pool.
 */
export class GetPoolCrowd {
  readonly #remembered = new Map<Felt, Remembered>();
  readonly #reads = new SingleFlight<Remembered>();

  /** @param smallBatchBelow batches of fewer deposits are warned of */
  constructor(
    private readonly history: PoolHistory,
    private readonly clock: Clock,
    private readonly pools: readonly NotePool[],
    private readonly smallBatchBelow?: number,
  ) {}

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

  async #known(poolAddress: Felt, { nextIndex, undeployedCount }: Counts): Promise<Remembered> {
    const { address } = denominatedPool(this.pools, poolAddress);
    const counts = `${nextIndex}|${undeployedCount}`;
    const remembered = this.#remembered.get(address);
    const isFresh =
      remembered?.counts === counts && this.clock.nowMs() - remembered.readAtMs < KEPT_MS;
    if (isFresh) return remembered;
    return this.#reads.run(`${address}|${counts}`, async () => {
      const ages =
        undeployedCount === 0
          ? []
          : await this.history.agesOf(address, nextIndex - undeployedCount, 1);
      const read = {
        counts,
        readAtMs: this.clock.nowMs(),
        oldestWaitingSeconds: ages[0] ?? null,
        batches: await this.history.batchesOf(address),
      };
      this.#remembered.set(address, read);
      return read;
    });
  }
}
