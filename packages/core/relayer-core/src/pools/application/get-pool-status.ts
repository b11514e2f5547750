import { CODES_OF } from '@sotto/facts';
import { Cached, type Felt } from '@sotto/kernel';
import { denominatedPool, type NotePool, type PoolStatus } from '../domain/pool.js';
import type { LatestBlock } from '@sotto/submission-core';
import type { PoolReader } from '../ports/pool-reader.port.js';

interface CachedStatus {
  /** The latest block when the status was asked for. */
  readonly latestBlock: number;
  readonly status: PoolStatus;
}

/**
 * Returns what a pool reports of itself. Read once per block and pool, however many ask; holds one
 * status per served pool.
 */
export class GetPoolStatus {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.poolStatus;

  /**
   * The version of a status is the latest block when it was asked for. Equal, not "at least": after
   * a reorganisation the latest number may be lower than one that was seen before.
   */
  readonly #statuses = new Cached<CachedStatus>({
    // A node behind a balancer may lag: what it says is answered, but not cached for a block that
    // it has not seen.
    freshMs: ({ status, latestBlock }) => (status.blockNumber < latestBlock ? 0 : Infinity),
  });

  constructor(
    private readonly reader: Pick<PoolReader, 'poolStatus'>,
    private readonly latestBlock: Pick<LatestBlock, 'number'>,
    private readonly pools: readonly NotePool[],
  ) {}

  /**
   * The status in the latest block, or in a later one.
   * @throws PoolNotSupported, PoolWithoutDenomination; the error of the node when block number or
   *   status can't be read: an older status never takes its place.
   */
  async execute(poolAddress: Felt): Promise<PoolStatus> {
    const { address } = denominatedPool(this.pools, poolAddress);
    const latestBlock = await this.latestBlock.number();
    const { status } = await this.#statuses.get(
      address,
      async () => ({ latestBlock, status: await this.reader.poolStatus(address) }),
      latestBlock,
    );
    return status;
  }
}
