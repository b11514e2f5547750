import type { Felt } from '@sotto/kernel';
import { denominatedPool, type NotePool } from '../domain/pool.js';
import type { PoolStatus } from '../domain/pool-status.js';
import type { BlockClock } from '../../relay/ports/block-clock.port.js';
import type { PoolStatusReader } from '../ports/pool-status-reader.port.js';
import { SingleFlight } from '../../relay/application/single-flight.js';

interface Remembered {
  /** The latest block when the status was asked for. */
  readonly latestBlock: number;
  readonly status: PoolStatus;
}

/**
 * Returns what a pool reports of itself. Read once per block and pool, however many ask; holds one
 * status per served pool.
 */
export class GetPoolStatus {
  readonly #remembered = new Map<Felt, Remembered>();
  readonly #reads = new SingleFlight<PoolStatus>();

  constructor(
    private readonly reader: PoolStatusReader,
    private readonly blockClock: BlockClock,
    private readonly pools: readonly NotePool[],
  ) {}

  /**
   * The status in the latest block, or in a later one.
   * @throws PoolNotSupported, PoolWithoutDenomination; the error of the node when block number or
   *   status can't be read: an older status never takes its place.
   */
  async execute(poolAddress: Felt): Promise<PoolStatus> {
    const { address } = denominatedPool(this.pools, poolAddress);
    const latestBlock = await this.blockClock.latestBlockNumber();
    const remembered = this.#remembered.get(address);
    // Equal, not "at least": after a reorganisation the latest number may be lower than one that
    // was seen before.
    if (remembered?.latestBlock === latestBlock) return remembered.status;
    return this.#reads.run(`${address}|${latestBlock}`, () => this.#read(address, latestBlock));
  }

  async #read(address: Felt, latestBlock: number): Promise<PoolStatus> {
    const status = await this.reader.poolStatus(address);
    // A node behind a balancer may lag: what it says is answered, but not kept for a block that it
    // has not seen.
    if (status.blockNumber >= latestBlock) this.#remembered.set(address, { latestBlock, status });
    return status;
  }
}
