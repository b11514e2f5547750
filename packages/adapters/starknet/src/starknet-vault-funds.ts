import type { IdleFunds, VaultFunds } from '@sotto/curator-core';
import type { Felt } from '@sotto/kernel';
import { HEAD } from './block-head.js';
import { NodeUnavailable } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { viewCall } from './views.js';
import { ReturnedU256 } from './wire.js';

const ATTEMPTS = 2;

/**
 * Idle is what the WBTC token says that the vault itself holds: read in one request, once more when
 * a block came in between.
 */
export class StarknetVaultFunds implements VaultFunds {
  constructor(
    private readonly node: NodeClient,
    private readonly wbtc: Felt,
  ) {}

  async idle(vault: Felt): Promise<IdleFunds> {
    const balance = viewCall({
      contract: this.wbtc,
      entrypoint: 'balanceOf',
      calldata: [vault],
      result: ReturnedU256,
    });
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const [before, idleSats, after] = await this.node.together([HEAD, balance, HEAD]);
      if (before.block_hash === after.block_hash)
        return { idleSats, blockNumber: after.block_number };
    }
    throw new NodeUnavailable({
      message: 'blocks follow one another faster than a vault can be read',
    });
  }
}
