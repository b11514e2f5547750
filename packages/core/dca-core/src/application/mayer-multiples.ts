import type { MarketPrices } from '@sotto/market-core';
import type { Snapshot } from '@sotto/submission-core';
import { dayOf } from '../domain/daily-close.js';
import type { PurchaseContract } from '../domain/order-layout.js';
import {
  daysBefore,
  judgeCloses,
  mayerMultiple,
  meanClose,
  type JudgedDays,
  type MeanClose,
} from '../domain/mayer-multiple.js';
import type { Ratio } from '../domain/ratio.js';
import type { ClosesStore } from '../ports/closes-store.port.js';
import type { PurchaseOrders } from '../ports/purchase-orders.port.js';

export interface MayerMultiplesPorts {
  readonly orders: Pick<PurchaseOrders, 'mayerMultiple'>;
  readonly closes: ClosesStore;
  readonly prices: Pick<MarketPrices, 'pairsOf'>;
}

export interface MayerMultiplesPolicy {
  readonly contract: PurchaseContract;
  /** Names of the configured sources of daily closes. The most trusted source is the first. */
  readonly sources: readonly string[];
  /** Symbol that the price sources use for WBTC. */
  readonly wbtcSymbol: string;
}

/** Prices of STRK and WBTC in 1e-8 USD, one pair per source. */
export type WbtcPrices = readonly { readonly strkUsdE8: bigint; readonly wbtcUsdE8: bigint }[];

export interface KnownMean {
  readonly days: JudgedDays;
  /** Mean of the daily closes; null if fewer than 195 days agree. */
  readonly mean: MeanClose | null;
}

/**
 * Reads the contract's Mayer Multiple and computes the keeper's own multiple, which verifies it.
 */
export class MayerMultiples {
  constructor(
    private readonly ports: MayerMultiplesPorts,
    private readonly policy: MayerMultiplesPolicy,
  ) {}

  /**
   * Number of configured sources of daily closes. With fewer than two sources, smart orders are not
   * executed.
   */
  get sources(): number {
    return this.policy.sources.length;
  }

  /** Returns the mean of the daily closes of the 200 days before the block's day. */
  async mean({ timestamp }: Pick<Snapshot, 'timestamp'>): Promise<KnownMean> {
    const today = dayOf(timestamp);
    const { from, to } = daysBefore(today);
    const days = judgeCloses(await this.ports.closes.closes(from, to), this.policy.sources, today);
    return { days, mean: meanClose(days) };
  }

  /** @throws PriceUnavailable unless two sources agree */
  async prices(): Promise<WbtcPrices> {
    const pairs = await this.ports.prices.pairsOf('STRK', this.policy.wbtcSymbol);
    return pairs.map(({ soldUsdE8, boughtUsdE8 }) => ({
      strkUsdE8: soldUsdE8,
      wbtcUsdE8: boughtUsdE8,
    }));
  }

  /**
   * Returns the keeper's own multiple, at the price of the most trusted source; null if it is
   * unknown.
   */
  ours({ mean }: KnownMean, prices: WbtcPrices): Ratio | null {
    const [first] = prices;
    return mean === null || first === undefined ? null : mayerMultiple(first.wbtcUsdE8, mean);
  }

  async contracts(at: Snapshot): Promise<Ratio> {
    const numerator = await this.ports.orders.mayerMultiple(at);
    return { numerator, denominator: this.policy.contract.layout.mayerMultiple.scale };
  }
}
