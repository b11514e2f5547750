import { z } from 'zod';
import type { NodeCall } from './rpc/node-client.js';
import { BlockNumber, WireFelt } from './wire.js';

const Head = z.object({ block_number: BlockNumber, block_hash: WireFelt });

/**
 * Which block is the latest. Asked before and after views in one request: a node that works through
 * a batch in order has answered them from one block when both times it names the same.
 */
export const HEAD: NodeCall<z.infer<typeof Head>> = {
  method: 'starknet_blockHashAndNumber',
  params: {},
  result: Head,
};
