import { NodeBehind, type BlockRef, type Snapshot, type Snapshots } from '@sotto/submission-core';
import { blockHashAt } from './block-head.js';
import { LATEST_BLOCK, readLatestBlock, type AcceptedBlock } from './latest-block.js';
import { isBlockNotFound } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';

/**
 * Reads the newest accepted block. The same request reads the hash at the height of `after`, the
 * block that must be an ancestor of the newest block or the newest block itself. The hash is
 * queried second, so a node that processes a batch in order reads it after the newest block. If a
 * reorg happened between the two reads, later reads at the snapshot's hash find no block.
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
      // The node does not have the block `after`: it may have pruned the block or may still be
      // syncing. The node is behind only if its newest block is lower than the block `after`.
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
