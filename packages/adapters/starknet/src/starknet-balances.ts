import type { Felt } from '@sotto/kernel';
import type { Balances } from '@sotto/keeper-core';
import type { Snapshot } from '@sotto/submission-core';
import type { StarknetNode } from './rpc/starknet-node.js';
import { callView } from './views.js';
import { ReturnedU256 } from './wire.js';

/** Reads `balanceOf` of ERC-20 tokens at the snapshot's block, which is identified by its hash. */
export class StarknetBalances implements Balances {
  constructor(private readonly node: StarknetNode) {}

  async of(token: Felt, account: Felt, { hash: blockHash }: Snapshot): Promise<bigint> {
    return callView(this.node, {
      contract: token,
      entrypoint: 'balanceOf',
      calldata: [account],
      block: blockHash,
      result: ReturnedU256,
    });
  }
}
