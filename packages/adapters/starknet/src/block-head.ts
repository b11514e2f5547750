import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { isBlockNotFound, NodeUnavailable } from './rpc/errors.js';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import { AcceptedBlockStatus, BlockNumber, WireFelt } from './wire.js';

const Head = z.object({ block_number: BlockNumber, block_hash: WireFelt });

/**
 * Reads number and hash of the latest block. A batch contains this call before and after its views.
 * If a node processes a batch in order, equal hashes prove that all views were read in one block.
 */
export const HEAD: NodeCall<z.infer<typeof Head>> = {
  method: 'starknet_blockHashAndNumber',
  params: {},
  result: Head,
  shows: ({ block_number: number, block_hash: hash }) => ({ head: { number, hash } }),
};

/**
 * Returns the result of `read`, which queries the latest block before and after its views in one
 * request. The request is repeated once if a block arrived between these two queries. As an
 * alternative, the views could name the block. But then the block would have to be read in an
 * earlier request, or the views would read the block before the latest block.
 * @param read returns null if the two blocks differ
 * @throws NodeUnavailable if a block arrived during both requests
 */
export async function readOfOneBlock<T extends object>(read: () => Promise<T | null>): Promise<T> {
  const answer = (await read()) ?? (await read());
  if (answer === null)
    throw new NodeUnavailable({
      message: 'new blocks arrive faster than a pool can be read',
    });
  return answer;
}

/**
 * Reads the hash of the accepted block at a height. A response with a different height is
 * malformed.
 */
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

/** Reads the hash of the accepted block at a height; null if the node does not have the block. */
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
 * Reads the hash of the accepted block at a height; null above the node's head. The node may have
 * pruned a block below its head, or may still be syncing. Only a block above the head is therefore
 * certainly absent.
 * @throws NodeUnavailable if a block below the head is missing
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
