import { toFelt, type Felt } from '@sotto/kernel';
import type { SwapLeaf } from '@sotto/relayer-core';
import { u256FromHalves } from '@sotto/kernel';
import { z } from 'zod';
import { NodeMalformedAnswer } from './rpc/errors.js';
import type { NodeCall } from './rpc/starknet-node.js';
import { viewCall } from './views.js';
import { ReturnedU32, WireFelt, WireU128 } from './wire.js';

const BPS = 10_000;
const NO_TOKEN = toFelt(0n);

/**
 * Views of the swap pool that other pools have too. A profile renames those of the other pools
 * only.
 */
export const SWAP_POOL_ENTRYPOINTS = {
  isKnownRoot: 'is_known_root',
  isKnownCommitment: 'is_known_commitment',
  isSpent: 'is_spent',
};

/** `(ContractAddress, u256)`. */
const ReturnedLeaf = z
  .tuple([WireFelt, WireU128, WireU128])
  .transform(([token, low, high]) => ({ token, amount: u256FromHalves(low, high) }));

/** A view of the swap pool that answers a u32. */
export function swapPoolU32(swapPool: Felt, entrypoint: string): NodeCall<number> {
  return viewCall({ contract: swapPool, entrypoint, result: ReturnedU32 });
}

/** What a leaf is made out from. */
export function leafCalls(swapPool: Felt, leafIndex: number) {
  const calldata = [toFelt(BigInt(leafIndex))];
  return [
    viewCall({ contract: swapPool, entrypoint: 'get_leaf_info', calldata, result: ReturnedLeaf }),
    swapPoolU32(swapPool, 'max_fee_bps'),
    swapPoolU32(swapPool, 'get_next_index'),
  ] as const;
}

/**
 * A leaf from the answers to {@link leafCalls}; null for one that no swap has filled, in whichever
 * of two blocks they were answered.
 * @throws NodeMalformedAnswer for a fee that no pool allows
 */
export function leafOf(
  { token, amount }: z.output<typeof ReturnedLeaf>,
  maxFeeBps: number,
  nextIndex: number,
  leafIndex: number,
): SwapLeaf | null {
  checkMaxFee(maxFeeBps);
  if (leafIndex >= nextIndex || token === NO_TOKEN) return null;
  return { token, amount, maxFee: (amount * BigInt(maxFeeBps)) / BigInt(BPS) };
}

/** @throws NodeMalformedAnswer */
export function checkMaxFee(maxFeeBps: number): void {
  if (maxFeeBps > BPS)
    throw new NodeMalformedAnswer({ message: 'the swap pool allows fees above the whole amount' });
}
