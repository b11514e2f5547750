import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { isBlockNotFound, NodeUnavailable } from './rpc/errors.js';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import { AcceptedBlockStatus, BlockNumber, WireFelt } from './wire.js';

const Head = z.object({ block_number: BlockNumber, block_hash: WireFelt });

/**
 * Which block is the latest. Asked before and after views in one request: a node that works through
 * a batch in order has answered them from one block when both times it names the same.
 */
export const HEAD: NodeCall<z.infer<typeof Head>> = {
  method: 'starknet_blockHashAndNumber',
  params: {},
  result: Head,
  shows: ({ block_number: number, block_hash: hash }) => ({ head: { number, hash } }),
};

/**
 * Returns the result of `read`, which is one request with the latest block before and after its
 * views. It is sent once more if a block came in between. Naming the block in the views instead
 * would need another request first, or show the block before the latest.
 * @param read returns null if the two blocks differ
 * @throws NodeUnavailable if blocks came in between both times
 */
export async function readOfOneBlock<T extends object>(read: () => Promise<T | null>): Promise<T> {
  const answer = (await read()) ?? (await read());
  if (answer === null)
    throw new NodeUnavailable({
      message: 'blocks follow one another faster than a pool can be read',
    });
  return answer;
}

/** The hash of the accepted block at a height; another height in the answer is malformed. */
export function blockHashAt(number: number): NodeCall<Felt> {
  return {
    method: 'starknet_getBlockWithTxHashes',
    params: { block_id: { block_number: number } },
    result: z
      .object({
        status: AcceptedBlockStatus,
        block_number: z.literal(number),
        block_hash: WireFelt,
      })
      .transform((block) => block.block_hash),
  };
}

/** The same, null for a block that the node does not have. */
export function blockHashUnlessAbsent(number: number): NodeCall<Felt | null> {
  const { method, params, result } = blockHashAt(number);
  return {
    method,
    params,
    result,
    readsAs: (failure) => (isBlockNotFound(failure) ? null : undefined),
  };
}

/**
 * The same, null above the node's head. A node may have pruned the block, or not have all of them
 * yet: a block is certainly absent only above its head.
 * @throws NodeUnavailable for a block that is missing below the head
 */
export async function readBlockHashAt(node: StarknetNode, number: number): Promise<Felt | null> {
  const [head, block] = await Promise.allSettled([node.call(HEAD), node.call(blockHashAt(number))]);
  if (block.status === 'fulfilled') return block.value;
  if (!isBlockNotFound(block.reason)) throw block.reason;
  if (head.status === 'rejected') throw head.reason;
  if (number <= head.value.block_number)
    throw new NodeUnavailable({
      message: 'the node does not have a block below its head',
      cause: block.reason,
    });
  return null;
}
