import type { Felt } from '@sotto/kernel';
import type { SwapLeaf, SwapLeaves, SwapPoolFigures } from '@sotto/relayer-core';
import type { StarknetNode } from './rpc/starknet-node.js';
import { checkMaxFee, leafCalls, leafOf, swapPoolU32 } from './swap-pool-views.js';

/** Reads swap pools by their views at the newest accepted block. */
export class StarknetSwapLeaves implements SwapLeaves {
  constructor(private readonly node: StarknetNode) {}

  async leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null> {
    const [leaf, maxFeeBps, nextIndex] = await this.node.together(leafCalls(swapPool, leafIndex));
    return leafOf(leaf, maxFeeBps, nextIndex, leafIndex);
  }

  async figures(swapPool: Felt): Promise<SwapPoolFigures> {
    const u32 = (entrypoint: string) => swapPoolU32(swapPool, entrypoint);
    const [activeDeposits, totalSwaps, nextIndex, maxFeeBps] = await this.node.together([
      u32('active_deposits'),
      u32('total_swaps'),
      u32('get_next_index'),
      u32('max_fee_bps'),
    ]);
    checkMaxFee(maxFeeBps);
    return { activeDeposits, totalSwaps, nextIndex, maxFeeBps };
  }
}
