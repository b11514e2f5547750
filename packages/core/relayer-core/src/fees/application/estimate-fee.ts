import { CODES_OF } from '@sotto/facts';
import type { Felt } from '@sotto/kernel';
import { SWAP_OUTPUT_MARGIN_PERCENT, swapOutputGas, type CycleGas } from '../domain/fee.js';
import { estimateFee, type FeeEstimate } from '../domain/fee-estimate.js';
import type { QuotedOperation } from '../domain/fee-quote.js';
import { isSwappable, notSwappable, servedPool, type NotePool } from '../../pools/domain/pool.js';
import type { PoolToken, MarketPrices } from '@sotto/market-core';
import { leafToken } from '../../pools/domain/swap-leaf.js';
import { LeafIndexNotApplicable, LeafIndexRequired } from '../../errors.js';
import type { LatestBlock } from '@sotto/submission-core';
import type { KnownLeaves } from '../../pools/application/known-leaves.js';
import type { GetPoolStatus } from '../../pools/application/get-pool-status.js';
import type { LearnGas } from './learn-gas.js';

export interface FeePolicy {
  readonly pools: readonly NotePool[];
  readonly cycleGas: CycleGas;
  /** With a private swap in the place of the withdrawal. */
  readonly swapCycleGas: CycleGas;
  /** On top of the cost. */
  readonly marginPercent: bigint;
  /** @default nothing is learnt: `cycleGas` alone is known */
  readonly gas?: Pick<LearnGas, 'learnt'>;
  /** Fees are in sats where the pool has no other unit. */
  readonly wbtc: PoolToken;
}

/** What an estimate is asked for beside the pool. */
export interface EstimatedUse {
  /** @default withdraw */
  readonly operation?: QuotedOperation;
  /** Of a note in the swap pool; null where the notes are all worth the same. @default null */
  readonly leafIndex?: number | null;
}

/** What the note is paid out in, and what its pool says. */
interface Noted {
  readonly feeToken: PoolToken;
  readonly pool: FeeEstimate['pool'];
}

/**
 * Returns what a relayer asks for a deposit, its share of a batch and its withdrawal or private
 * swap, at present prices.
 */
export class EstimateFee {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.feeEstimate;

  /**
   * @param marketPrices must know STRK, WBTC (its price is always returned) and the tokens of the
   *   pools.
   */
  constructor(
    private readonly latestBlock: Pick<LatestBlock, 'gasPrices'>,
    private readonly marketPrices: MarketPrices,
    private readonly getPoolStatus: Pick<GetPoolStatus, 'execute'>,
    private readonly swapLeaves: Pick<KnownLeaves, 'leaf'>,
    private readonly policy: FeePolicy,
  ) {}

  /**
   * The fee in the token that the note is paid out in, capped at what the pool allows; in sats and
   * without a cap when no pool is named. Of a note in the swap pool only the withdrawal is counted:
   * its swap was its deposit. Reads start in one tick, but for a leaf and its pool's figures.
   * @throws PoolNotSupported, PoolNotSwappable, LeafIndexRequired, LeafIndexNotApplicable,
   *   LeafUnknown, OutputTokenNotSupported,
   *   PriceUnavailable; the error of a read: no part of an estimate is ever a guess.
   */
  async execute(
    poolAddress: Felt | null,
    { operation = 'withdraw', leafIndex = null }: EstimatedUse = {},
  ): Promise<FeeEstimate> {
    const { pools, wbtc, marginPercent } = this.policy;
    const pool = poolAddress === null ? null : servedPool(pools, poolAddress);
    if (operation === 'private_swap' && pool !== null && !isSwappable(pool))
      throw notSwappable(pools);
    const [gasPrices, pricesIn, noted] = await Promise.all([
      this.latestBlock.gasPrices(),
      this.marketPrices.forFees(),
      this.#noted(pool, leafIndex),
    ]);
    const prices = {
      ...pricesIn(noted.feeToken.symbol),
      btcUsdE8: pricesIn(wbtc.symbol).feeTokenUsdE8,
    };
    const learnt = this.policy.gas?.learnt(poolAddress, operation);
    return estimateFee({
      ...noted,
      gasPrices,
      prices,
      cycleGas: this.#gas(pool, operation),
      learnt,
      marginPercent: pool?.kind === 'swap_output' ? atLeast(marginPercent) : marginPercent,
    });
  }

  async #noted(pool: NotePool | null, leafIndex: number | null): Promise<Noted> {
    if (pool?.kind === 'swap_output') {
      if (leafIndex === null) throw new LeafIndexRequired();
      const leaf = await this.swapLeaves.leaf(pool.address, leafIndex);
      return {
        feeToken: leafToken(pool, leaf),
        pool: leaf === null ? null : { maxFee: leaf.maxFee, denomination: null },
      };
    }
    if (leafIndex !== null) throw new LeafIndexNotApplicable();
    if (pool === null) return { feeToken: this.policy.wbtc, pool: null };
    const { maxFee, denomination } = await this.getPoolStatus.execute(pool.address);
    return { feeToken: pool.token, pool: { maxFee, denomination } };
  }

  #gas(pool: NotePool | null, operation: QuotedOperation): CycleGas {
    const { cycleGas, swapCycleGas } = this.policy;
    if (pool?.kind === 'swap_output') return swapOutputGas(cycleGas);
    return operation === 'private_swap' ? swapCycleGas : cycleGas;
  }
}

/** A recommended fee is never below the smallest one that is admitted. */
function atLeast(marginPercent: bigint): bigint {
  return marginPercent > SWAP_OUTPUT_MARGIN_PERCENT ? marginPercent : SWAP_OUTPUT_MARGIN_PERCENT;
}
