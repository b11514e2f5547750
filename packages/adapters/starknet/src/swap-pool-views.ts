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
 * Names of those swap pool views that other pools have too. A profile can rename these views for
 * other pools, but not for the swap pool.
 */
export const SWAP_POOL_ENTRYPOINTS = {
  isKnownRoot: 'is_known_root',
  isKnownCommitment: 'is_known_commitment',
  isSpent: 'is_spent',
};

/** Result of a view with the return type `(ContractAddress, u256)`. */
const ReturnedLeaf = z
  .tuple([WireFelt, WireU128, WireU128])
  .transform(([token, low, high]) => ({ token, amount: u256FromHalves(low, high) }));

/** Builds the call of a swap pool view that returns a u32. */
export function swapPoolU32(swapPool: Felt, entrypoint: string): NodeCall<number> {
  return viewCall({ contract: swapPool, entrypoint, result: ReturnedU32 });
}

/** Builds the calls whose results {@link leafOf} converts to a leaf. */
export function leafCalls(swapPool: Felt, leafIndex: number) {
  const calldata = [toFelt(BigInt(leafIndex))];
  return [
    viewCall({ contract: swapPool, entrypoint: 'get_leaf_info', calldata, result: ReturnedLeaf }),
    swapPoolU32(swapPool, 'max_fee_bps'),
    swapPoolU32(swapPool, 'get_next_index'),
  ] as const;
}

/**
 * Returns a leaf from the results of {@link leafCalls}; null if no swap has filled the leaf. The
 * results may come from two consecutive blocks.
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

/** @throws NodeMalformedAnswer if the fee is above 100 % */
export function checkMaxFee(maxFeeBps: number): void {
  if (maxFeeBps > BPS)
    throw new NodeMalformedAnswer({ message: 'the swap pool allows fees above the whole amount' });
}
