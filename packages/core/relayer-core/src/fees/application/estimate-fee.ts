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
import { requireOffered, type RecipientGasOffer } from '../domain/recipient-gas-offer.js';
import type { LearnGas } from './learn-gas.js';

export interface FeePolicy {
  readonly pools: readonly NotePool[];
  readonly cycleGas: CycleGas;
  /** Gas of a note's three transactions if a private swap replaces the withdrawal. */
  readonly swapCycleGas: CycleGas;
  /** Margin added to the cost, in percent. */
  readonly marginPercent: bigint;
  /**
   * Most STRK that a withdrawal may give to its recipient. @default no STRK is given
   */
  readonly recipientGas?: Pick<RecipientGasOffer, 'maxFri'>;
  /** Gas learnt from receipts. @default none, so only `cycleGas` is used */
  readonly gas?: Pick<LearnGas, 'learnt'>;
  /** WBTC, the ERC-20 token of fees for estimates without a pool. */
  readonly wbtc: PoolToken;
}

/** Operation and note for which the fee is estimated, in addition to the pool. */
export interface EstimatedUse {
  /** @default withdraw */
  readonly operation?: QuotedOperation;
  /**
   * Index of the note's leaf in the swap pool; null for pools whose notes all have the same value.
   * @default null
   */
  readonly leafIndex?: number | null;
  /** STRK that the withdrawal gives to its recipient, in fri. @default 0 */
  readonly recipientGasFri?: bigint;
}

/** Fee token of the note, and maximum fee and denomination of the note's pool. */
interface Noted {
  readonly feeToken: PoolToken;
  readonly pool: FeeEstimate['pool'];
}

/**
 * Estimates the fee for the three transactions of a note at current prices: its deposit, its share
 * of the deployment of a batch, and its withdrawal or private swap.
 */
export class EstimateFee {
  /** Error codes of the API route for fee estimates. */
  static readonly throws = CODES_OF.feeEstimate;

  /**
   * @param marketPrices must have prices of STRK, WBTC (whose price is always returned) and the
   *   tokens of the pools
   */
  constructor(
    private readonly latestBlock: Pick<LatestBlock, 'gasPrices'>,
    private readonly marketPrices: MarketPrices,
    private readonly getPoolStatus: Pick<GetPoolStatus, 'execute'>,
    private readonly swapLeaves: Pick<KnownLeaves, 'leaf'>,
    private readonly policy: FeePolicy,
  ) {}

  /**
   * Estimates the fee in the token of the payout, at most the pool's maximum. Without a pool, the
   * fee is in sats and has no maximum. The fee for a note in the swap pool covers only the
   * withdrawal, because the note's swap was its deposit. Reads start in the same tick, except the
   * reads of a leaf and its pool.
   * @throws PoolNotSupported, PoolNotSwappable, LeafIndexRequired, LeafIndexNotApplicable,
   *   RecipientGasNotOffered, LeafUnknown, OutputTokenNotSupported, PriceUnavailable, or the error
   *   of a read: an estimate never contains a guess
   */
  async execute(
    poolAddress: Felt | null,
    { operation = 'withdraw', leafIndex = null, recipientGasFri = 0n }: EstimatedUse = {},
  ): Promise<FeeEstimate> {
    const { pools, wbtc, marginPercent, recipientGas } = this.policy;
    const pool = poolAddress === null ? null : servedPool(pools, poolAddress);
    requireOffered(recipientGasFri, operation === 'withdraw' ? recipientGas : undefined);
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
      recipientGasFri,
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

/**
 * Returns the margin, but at least the minimum margin, so that the admission accepts a recommended
 * fee.
 */
function atLeast(marginPercent: bigint): bigint {
  return marginPercent > SWAP_OUTPUT_MARGIN_PERCENT ? marginPercent : SWAP_OUTPUT_MARGIN_PERCENT;
}
