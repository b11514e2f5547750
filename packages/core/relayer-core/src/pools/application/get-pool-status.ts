import { CODES_OF } from '@sotto/facts';
import { Cached, type Felt } from '@sotto/kernel';
import { denominatedPool, type NotePool, type PoolStatus } from '../domain/pool.js';
import type { LatestBlock } from '@sotto/submission-core';
import type { PoolReader } from '../ports/pool-reader.port.js';

interface CachedStatus {
  /** Number of the latest block at the time of the request. */
  readonly latestBlock: number;
  readonly status: PoolStatus;
}

/**
 * Returns the status of a pool. The status is read once per block and pool, regardless of the
 * number of callers. One status is cached per served pool.
 */
export class GetPoolStatus {
  /** Error codes of the API route for a pool's status. */
  static readonly throws = CODES_OF.poolStatus;

  /**
   * Cached statuses. The version of an entry is the number of the latest block at the time of the
   * request. Versions are only compared for equality, because a reorg may lower the number of the
   * latest block.
   */
  readonly #statuses = new Cached<CachedStatus>({
    // A node behind a load balancer may lag. Return the status of such a node, but do not cache it
    // as the status of a block that the node does not have yet.
    freshMs: ({ status, latestBlock }) => (status.blockNumber < latestBlock ? 0 : Infinity),
  });

  constructor(
    private readonly reader: Pick<PoolReader, 'poolStatus'>,
    private readonly latestBlock: Pick<LatestBlock, 'number'>,
    private readonly pools: readonly NotePool[],
  ) {}

  /**
   * Returns the status at the latest block or a later block.
   * @throws PoolNotSupported, PoolWithoutDenomination; the error of the node if the block number or
   *   the status can't be read, because an older status is not used instead
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
