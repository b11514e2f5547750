import type { Felt } from '@sotto/kernel';
import type { GasPrices } from '@sotto/submission-core';
import { z } from 'zod';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import {
  AcceptedBlockStatus,
  BlockNumber,
  BlockTimestamp,
  LATEST,
  WireFelt,
  WireU128,
} from './wire.js';

const ResourcePrice = z
  .object({ price_in_fri: WireU128 })
  .transform(({ price_in_fri }) => price_in_fri);
const AcceptedBlock = z
  .object({
    status: AcceptedBlockStatus,
    block_number: BlockNumber,
    block_hash: WireFelt,
    timestamp: BlockTimestamp,
    l1_gas_price: ResourcePrice,
    l1_data_gas_price: ResourcePrice,
    l2_gas_price: ResourcePrice,
  })
  .transform((block) => ({
    blockNumber: block.block_number,
    blockHash: block.block_hash,
    timestamp: block.timestamp,
    gasPrices: {
      l2GasFri: block.l2_gas_price,
      l1GasFri: block.l1_gas_price,
      l1DataGasFri: block.l1_data_gas_price,
    },
  }));

export interface AcceptedBlock {
  readonly blockNumber: number;
  readonly blockHash: Felt;
  /** Block timestamp by the sequencer's clock, in seconds since the epoch. */
  readonly timestamp: number;
  readonly gasPrices: GasPrices;
}

/** Reads the newest accepted block. */
export const LATEST_BLOCK: NodeCall<AcceptedBlock> = {
  method: 'starknet_getBlockWithTxHashes',
  params: { block_id: LATEST },
  result: AcceptedBlock,
  shows: ({ blockNumber: number, blockHash: hash }) => ({ head: { number, hash } }),
};

/** Returns the fields of the newest accepted block that this package uses. */
export async function readLatestBlock(node: StarknetNode): Promise<AcceptedBlock> {
  return node.call(LATEST_BLOCK);
}
