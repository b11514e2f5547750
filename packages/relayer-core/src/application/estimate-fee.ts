import type { Felt } from '@sotto/kernel';
import { FEE_MARGIN_PERCENT, type CycleGas } from '../domain/fee.js';
import { estimateFee, type FeeEstimate } from '../domain/fee-estimate.js';
import { servedPool, type PoolToken, type ServedPool } from '../domain/pool.js';
import { WITHDRAW_ENTRYPOINT } from '../domain/withdrawal.js';
import type { GasPriceSource } from '../ports/gas-price-source.port.js';
import type { GetPoolStatus } from './get-pool-status.js';
import type { LearnGas } from './learn-gas.js';
import type { MarketPrices } from './market-prices.js';

export interface FeePolicy {
  readonly pools: readonly ServedPool[];
  readonly cycleGas: CycleGas;
  /** On top of the cost. @default {@link FEE_MARGIN_PERCENT} */
  readonly marginPercent?: bigint;
  /** @default nothing is learnt: `cycleGas` alone is known */
  readonly gas?: Pick<LearnGas, 'learnt'>;
  /** A fee is told in sats where no pool says otherwise. */
  readonly wbtc: PoolToken;
}

/** Tells what a relayer asks for a deposit, its share of a batch and its withdrawal, at present prices. */
export class EstimateFee {
  /** @param marketPrices must know STRK, WBTC (its price is always told) and the tokens of the pools. */
  constructor(
    private readonly gasPrices: GasPriceSource,
    private readonly marketPrices: MarketPrices,
    private readonly getPoolStatus: Pick<GetPoolStatus, 'execute'>,
    private readonly policy: FeePolicy,
  ) {}

  /**
   * The fee in the pool's token, capped at what the pool allows; in sats and without a cap when no pool is named. All reads start in one tick.
   * @throws PoolNotSupported, PriceUnavailable; the fault of a read: no part of an estimate is ever a guess.
   */
  async execute(poolAddress: Felt | null): Promise<FeeEstimate> {
    const { pools, cycleGas, wbtc, marginPercent = FEE_MARGIN_PERCENT } = this.policy;
    const pool = poolAddress === null ? null : servedPool(pools, poolAddress);
    const feeToken = pool?.token ?? wbtc;
    const [gasPrices, feePrices, satsPrices, status] = await Promise.all([
      this.gasPrices.gasPrices(),
      this.marketPrices.forFeesIn(feeToken.symbol),
      this.marketPrices.forFeesIn(wbtc.symbol),
      pool === null ? null : this.getPoolStatus.execute(pool.address),
    ]);
    const prices = { ...feePrices, btcUsdE8: satsPrices.feeTokenUsdE8 };
    const learnt = this.policy.gas?.learnt(poolAddress, WITHDRAW_ENTRYPOINT);
    return estimateFee({ feeToken, gasPrices, prices, pool: status, cycleGas, learnt, marginPercent });
  }
}
