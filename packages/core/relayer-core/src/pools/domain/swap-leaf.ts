import type { Felt } from '@sotto/kernel';
import { LeafUnknown } from '../../errors.js';
import { OutputTokenNotSupported, type PoolToken } from '@sotto/market-core';
import type { SwapOutputPool } from './pool.js';

/**
 * Note that contains the output of a private swap. A withdrawal pays out the amount minus the fee.
 * Amounts are in the token's smallest unit.
 */
export interface SwapLeaf {
  readonly token: Felt;
  readonly amount: bigint;
  /** Maximum fee that a relayer may charge for the withdrawal. */
  readonly maxFee: bigint;
}

/** State of the swap pool at ACCEPTED_ON_L2, which changes with each swap or withdrawal. */
export interface SwapPoolFigures {
  readonly blockNumber: number;
  /** Time of the block, in Unix seconds. */
  readonly timestamp: number;
  /** Number of notes that have not been withdrawn. */
  readonly activeDeposits: number;
  readonly totalSwaps: number;
  /** Leaf index of the note that the next swap creates. */
  readonly nextIndex: number;
  readonly maxFeeBps: number;
}

/**
 * Returns the token of a leaf. The fee of the leaf's withdrawal is paid in this token as well.
 * @throws LeafUnknown if no swap has filled the leaf; OutputTokenNotSupported if the relayer does
 *   not know the token
 */
export function leafToken(pool: SwapOutputPool, leaf: SwapLeaf | null): PoolToken {
  if (leaf === null) throw new LeafUnknown();
  const token = pool.tokens.find(({ address }) => address === leaf.token);
  if (token === undefined) throw new OutputTokenNotSupported();
  return token;
}
