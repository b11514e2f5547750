import type { Felt } from '@sotto/kernel';
import { LeafUnknown } from '../../errors.js';
import { OutputTokenNotSupported, type PoolToken } from '@sotto/market-core';
import type { SwapOutputPool } from './pool.js';

/**
 * What a private swap left for a note: a withdrawal pays it out, less the fee. Amounts are in the
 * token's smallest unit.
 */
export interface SwapLeaf {
  readonly token: Felt;
  readonly amount: bigint;
  /** Most that a relayer may take of it. */
  readonly maxFee: bigint;
}

/** The swap pool as the chain shows it at ACCEPTED_ON_L2. */
export interface SwapPoolFigures {
  readonly blockNumber: number;
  /** Time of the block, in Unix seconds. */
  readonly timestamp: number;
  /** Notes that have not been withdrawn. */
  readonly activeDeposits: number;
  readonly totalSwaps: number;
  /** Leaf index of the next swap's note. */
  readonly nextIndex: number;
  readonly maxFeeBps: number;
}

/**
 * The token that a leaf holds, and that the fee of its withdrawal is paid in.
 * @throws LeafUnknown where no swap has filled the leaf; OutputTokenNotSupported for a token that
 *   this relayer knows nothing of
 */
export function leafToken(pool: SwapOutputPool, leaf: SwapLeaf | null): PoolToken {
  if (leaf === null) throw new LeafUnknown();
  const token = pool.tokens.find(({ address }) => address === leaf.token);
  if (token === undefined) throw new OutputTokenNotSupported();
  return token;
}
