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
 * Views that the swap pool shares with other pools. A profile can rename those of the other pools
 * only.
 */
export const SWAP_POOL_ENTRYPOINTS = {
  isKnownRoot: 'is_known_root',
  isKnownCommitment: 'is_known_commitment',
  isSpent: 'is_spent',
};

/** Return type `(ContractAddress, u256)`. */
const ReturnedLeaf = z
  .tuple([WireFelt, WireU128, WireU128])
  .transform(([token, low, high]) => ({ token, amount: u256FromHalves(low, high) }));

/** Builds the call of a swap pool view that returns a u32. */
export function swapPoolU32(swapPool: Felt, entrypoint: string): NodeCall<number> {
  return viewCall({ contract: swapPool, entrypoint, result: ReturnedU32 });
}

/** Builds the calls that {@link leafOf} needs. */
export function leafCalls(swapPool: Felt, leafIndex: number) {
  const calldata = [toFelt(BigInt(leafIndex))];
  return [
    viewCall({ contract: swapPool, entrypoint: 'get_leaf_info', calldata, result: ReturnedLeaf }),
    swapPoolU32(swapPool, 'max_fee_bps'),
    swapPoolU32(swapPool, 'get_next_index'),
  ] as const;
}

/**
 * Returns a leaf from the answers to {@link leafCalls}; null if no swap has filled it. The answers
 * may be from two consecutive blocks.
 * @throws NodeMalformedAnswer if the fee is above 100 %
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
