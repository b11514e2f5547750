import { CODES_OF } from '@sotto/facts';
import {
  UNNAMED_CALLER,
  type Caller,
  type Clock,
  type Felt,
  type UpstreamBudget,
} from '@sotto/kernel';
import type { EstimateFee } from '../../fees/application/estimate-fee.js';
import type { GetPoolStatus } from '../../pools/application/get-pool-status.js';
import { isSwappable, notSwappable, servedPool, type NotePool } from '../../pools/domain/pool.js';
import {
  swapAmounts,
  type PoolToken,
  type SwapAmounts,
  type SwapRouting,
} from '@sotto/market-core';
import {
  amountToSwap,
  checkOffer,
  type PayoutRule,
  type SwapTermsPolicy,
} from '../domain/private-swap.js';

export interface QuoteSwapPorts {
  readonly estimateFee: Pick<EstimateFee, 'execute'>;
  readonly getPoolStatus: Pick<GetPoolStatus, 'execute'>;
  readonly routing: Pick<SwapRouting, 'quote'>;
  /**
   * Limits the requests to the aggregator that quotes may cause. Private swaps have a different
   * budget.
   */
  readonly aggregatorBudget: Pick<UpstreamBudget, 'spend'>;
  readonly clock: Clock;
}

export interface QuoteSwapPolicy extends SwapTermsPolicy {
  readonly pools: readonly NotePool[];
  /** Contract that receives the payout and swaps it. */
  readonly swapPool: Felt;
  readonly payoutRule: PayoutRule;
}

export interface QuoteSwapInput {
  readonly pool: Felt;
  readonly outputToken: Felt;
  /** Tolerance in millionths by which the minimum may be below the quote. */
  readonly slippagePpm: number;
  /** Caller of the quote. @default {@link UNNAMED_CALLER} */
  readonly caller?: Caller;
}

export interface QuotedSwap extends SwapAmounts {
  /** Token of the pool, which the swap sells and in which the fee is paid. */
  readonly sellToken: PoolToken;
}

/**
 * Returns the amounts that a private swap of one note would have at the recommended fee. No proof
 * is needed.
 */
export class QuoteSwap {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.swapQuote;

  constructor(
    private readonly ports: QuoteSwapPorts,
    private readonly policy: QuoteSwapPolicy,
  ) {}

  /**
   * Quotes a swap. Writes and reserves nothing.
   * @throws PoolNotSupported, PoolNotSwappable, SlippageOutOfRange or OutputTokenNotSupported
   *   before any read; Overloaded if the caller may not cause a request to the aggregator now;
   *   errors of the fee estimate, the fair value or the quote
   */
  async execute({
    pool: address,
    outputToken,
    slippagePpm,
    caller = UNNAMED_CALLER,
  }: QuoteSwapInput): Promise<QuotedSwap> {
    const { pools, payoutRule, swapPool: taker } = this.policy;
    const { estimateFee, getPoolStatus, routing, aggregatorBudget, clock } = this.ports;
    const pool = servedPool(pools, address);
    if (!isSwappable(pool)) throw notSwappable(pools);
    checkOffer({ outputToken, slippagePpm }, this.policy);
    aggregatorBudget.spend(caller);
    const [{ feeAmount }, status] = await Promise.all([
      estimateFee.execute(address, { operation: 'private_swap' }),
      getPoolStatus.execute(address),
    ]);
    const routed = await routing.quote({
      sellToken: pool.token,
      sellAmount: amountToSwap(status, payoutRule, feeAmount),
      buyToken: outputToken,
      taker,
      slippagePpm,
      pinnedFloor: null,
    });
    return { ...swapAmounts(routed, feeAmount, clock.nowMs()), sellToken: pool.token };
  }
}
