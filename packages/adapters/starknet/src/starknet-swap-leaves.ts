import type { Felt } from '@sotto/kernel';
import type { SwapLeaf, SwapLeaves, SwapPoolFigures } from '@sotto/relayer-core';
import { HEAD, readOfOneBlock } from './block-head.js';
import { LATEST_BLOCK } from './latest-block.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { checkMaxFee, leafCalls, leafOf, swapPoolU32 } from './swap-pool-views.js';

/** Reads swap pools by their views at the newest accepted block. */
export class StarknetSwapLeaves implements SwapLeaves {
  constructor(private readonly node: StarknetNode) {}

  async leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null> {
    const [leaf, maxFeeBps, nextIndex] = await this.node.together(leafCalls(swapPool, leafIndex));
    return leafOf(leaf, maxFeeBps, nextIndex, leafIndex);
  }

  /** All figures of one block. */
  async figures(swapPool: Felt): Promise<SwapPoolFigures> {
    const u32 = (entrypoint: string) => swapPoolU32(swapPool, entrypoint);
    return readOfOneBlock(async () => {
      const [before, activeDeposits, totalSwaps, nextIndex, maxFeeBps, after] =
        await this.node.together([
          HEAD,
          u32('active_deposits'),
          u32('total_swaps'),
          u32('get_next_index'),
          u32('max_fee_bps'),
          LATEST_BLOCK,
        ]);
      if (before.block_hash !== after.blockHash) return null;
      checkMaxFee(maxFeeBps);
      const { blockNumber, timestamp } = after;
      return { blockNumber, timestamp, activeDeposits, totalSwaps, nextIndex, maxFeeBps };
    });
  }
}
