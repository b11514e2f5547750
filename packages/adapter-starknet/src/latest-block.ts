import type { GasPrices } from '@sotto/submission-core';
import { z } from 'zod';
import type { NodeClient } from './rpc/node-client.js';
import { AcceptedBlockStatus, BlockNumber, LATEST, WireU128 } from './wire.js';

const ResourcePrice = z.object({ price_in_fri: WireU128 }).transform(({ price_in_fri }) => price_in_fri);
const LatestBlock = z
  .object({
    status: AcceptedBlockStatus,
    block_number: BlockNumber,
    l1_gas_price: ResourcePrice,
    l1_data_gas_price: ResourcePrice,
    l2_gas_price: ResourcePrice,
  })
  .transform((block) => ({
    blockNumber: block.block_number,
    gasPrices: { l2GasFri: block.l2_gas_price, l1GasFri: block.l1_gas_price, l1DataGasFri: block.l1_data_gas_price },
  }));

export interface LatestBlock {
  readonly blockNumber: number;
  readonly gasPrices: GasPrices;
}

/** Height and prices of the newest accepted block. */
export async function readLatestBlock(node: NodeClient): Promise<LatestBlock> {
  return node.call({ method: 'starknet_getBlockWithTxHashes', params: { block_id: LATEST }, result: LatestBlock });
}
