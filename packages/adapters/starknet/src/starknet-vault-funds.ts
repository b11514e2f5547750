import type { VaultFunds } from '@sotto/curator-core';
import type { Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import type { StarknetNode } from './rpc/starknet-node.js';
import { callView } from './views.js';
import { ReturnedU256 } from './wire.js';

/** Reads the idle funds of a vault: its own WBTC balance. */
export class StarknetVaultFunds implements VaultFunds {
  constructor(
    private readonly node: StarknetNode,
    private readonly wbtc: Felt,
  ) {}

  async idle(vault: Felt, { hash: blockHash }: Snapshot): Promise<bigint> {
    return callView(this.node, {
      contract: this.wbtc,
      entrypoint: 'balanceOf',
      calldata: [vault],
      block: blockHash,
      result: ReturnedU256,
    });
  }
}
