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
import type { ClosesBook } from '../ports/closes-book.port.js';
import type { PurchaseOrders } from '../ports/purchase-orders.port.js';

export interface MayerMultiplesPorts {
  readonly orders: Pick<PurchaseOrders, 'mayerMultiple'>;
  readonly closes: ClosesBook;
  readonly prices: Pick<MarketPrices, 'pairsOf'>;
}

export interface MayerMultiplesPolicy {
  readonly contract: PurchaseContract;
  /** Names of the configured sources of daily closes, in order of trust. */
  readonly sources: readonly string[];
  /** Symbol by which the price sources know WBTC. */
  readonly wbtcSymbol: string;
}

/** Prices of WBTC and STRK as each source sees both, in 1e-8 USD. */
export type WbtcPrices = readonly { readonly strkUsdE8: bigint; readonly wbtcUsdE8: bigint }[];

export interface KnownMean {
  readonly days: JudgedDays;
  /** Null where fewer than 195 days count. */
  readonly mean: MeanClose | null;
}

/** The contract's Mayer Multiple, and what it should be. */
export class MayerMultiples {
  constructor(
    private readonly ports: MayerMultiplesPorts,
    private readonly policy: MayerMultiplesPolicy,
  ) {}

  /** How many sources of daily closes are configured: with fewer than two, smart orders are off. */
  get sources(): number {
    return this.policy.sources.length;
  }

  /** The mean of the 200 days before the one of the block. */
  async mean({ timestamp }: Pick<Snapshot, 'timestamp'>): Promise<KnownMean> {
    const today = dayOf(timestamp);
    const { from, to } = daysBefore(today);
    const days = judgeCloses(await this.ports.closes.closes(from, to), this.policy.sources, today);
    return { days, mean: meanClose(days) };
  }

  /** @throws PriceUnavailable when there are no two sources that agree */
  async prices(): Promise<WbtcPrices> {
    const pairs = await this.ports.prices.pairsOf('STRK', this.policy.wbtcSymbol);
    return pairs.map(({ soldUsdE8, boughtUsdE8 }) => ({
      strkUsdE8: soldUsdE8,
      wbtcUsdE8: boughtUsdE8,
    }));
  }

  /** Ours, at the price of the source that is trusted most; null where it is not known. */
  ours({ mean }: KnownMean, prices: WbtcPrices): Ratio | null {
    const [first] = prices;
    return mean === null || first === undefined ? null : mayerMultiple(first.wbtcUsdE8, mean);
  }

  async contracts(at: Snapshot): Promise<Ratio> {
    const numerator = await this.ports.orders.mayerMultiple(at);
    return { numerator, denominator: this.policy.contract.layout.mayerMultiple.scale };
  }
}
