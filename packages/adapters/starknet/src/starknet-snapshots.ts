import { NodeBehind, type BlockRef, type Snapshot, type Snapshots } from '@sotto/submission-core';
import { blockHashAt } from './block-head.js';
import { LATEST_BLOCK, readLatestBlock, type AcceptedBlock } from './latest-block.js';
import { isBlockNotFound } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';

/**
 * The newest accepted block, and in the same request the hash at the height that it has to stand
 * on. The height is asked for second: a node that works through a batch in order has then shown
 * the block it stands on after the newest one, and where a reorganisation came in between, reads at
 * the snapshot's hash find no block.
 */
export class StarknetSnapshots implements Snapshots {
  constructor(private readonly node: StarknetNode) {}

  async latest(after: BlockRef | null): Promise<Snapshot> {
    if (after === null) return snapshotOf(await readLatestBlock(this.node));
    const [block, hash] = await this.#latestAndHashAt(after.number);
    const isBehind =
      block.blockNumber < after.number ||
      hash !== after.hash ||
      (block.blockNumber === after.number && block.blockHash !== after.hash);
    if (isBehind) throw behind(block);
    return snapshotOf(block);
  }

  async #latestAndHashAt(number: number) {
    try {
      return await this.node.together([LATEST_BLOCK, blockHashAt(number)]);
    } catch (error) {
      if (!isBlockNotFound(error)) throw error;
      // A node may have pruned the block, or not have all of them yet: it is behind only where its
      // newest block is below.
      const block = await readLatestBlock(this.node);
      throw block.blockNumber < number ? behind(block) : error;
    }
  }
}

function snapshotOf({ blockNumber: number, blockHash: hash, timestamp }: AcceptedBlock): Snapshot {
  return { number, hash, timestamp };
}

function behind({ blockNumber }: AcceptedBlock): NodeBehind {
  return new NodeBehind({ details: { blockNumber } });
}
