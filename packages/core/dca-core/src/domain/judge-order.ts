import type { SkipReason } from '@sotto/facts';
import { amountOf, dueAt } from './execution.js';
import { bandBelow, bandOf, confirms, factorOf, type Band } from './mayer-multiple.js';
import { isEnded, type Order } from './order.js';
import { decimalText, type Ratio } from './ratio.js';

/** Mayer Multiples needed to judge an order. */
interface MayerFacts {
  /** Number of configured sources of daily closes. */
  readonly sources: number;
  /** Multiple computed from spot price and daily closes; null if prices or closes are missing. */
  readonly ours: Ratio | null;
  readonly contracts: Ratio;
}

export interface OrderFacts {
  /** State of the order; null if the contract reverts for the id. */
  readonly order: Order | 'unreadable' | null;
  /** Timestamp of the block at which the order was read, in Unix seconds. */
  readonly blockTime: number;
  /**
   * Mayer Multiples; null if they were not read yet. Without them, a due smart order can't be
   * judged.
   */
  readonly mayer: MayerFacts | null;
}

export type OrderJudgement =
  | {
      readonly kind: 'execute';
      readonly order: Order;
      /** Amount that the execution sells, in the sell token's smallest unit; positive. */
      readonly amount: bigint;
      /** Band of a smart order; null for an order that is not smart. */
      readonly band: Band | null;
    }
  | { readonly kind: 'needs_mayer'; readonly order: Order }
  | {
      readonly kind: 'skip';
      readonly reason: SkipReason;
      readonly details: Readonly<Record<string, string | number>>;
      readonly dueAtMs: number | null;
    };

const MS_PER_SECOND = 1_000n;
const SHOWN_PLACES = 4;
/**
 * Distance above the edge of a band, in hundredths of a percent of the multiple. An execution waits
 * while the multiple is within this distance. In the minutes between a check and its transaction's
 * block, the price of BTC usually changes less than this distance.
 */
const EDGE_BPS = 100n;
/**
 * Distance that is used instead of {@link EDGE_BPS} for an execution that is a day overdue, in
 * hundredths of a percent. Because of the smaller distance, a stable price does not delay an order
 * forever.
 */
const OVERDUE_EDGE_BPS = 25n;
const OVERDUE_SECONDS = 86_400n;

/**
 * Returns the next execution if it is due at this block. Otherwise returns the reason why it is not
 * executed now. Market prices are not checked here.
 */
export function judgeOrder({ order, blockTime, mayer }: OrderFacts): OrderJudgement {
  if (order === 'unreadable') return skip('ORDER_UNREADABLE');
  if (order === null || isEnded(order)) return skip('ORDER_ENDED');
  const due = dueAt(order);
  if (due > BigInt(blockTime)) return skip('NOT_DUE', {}, Number(due * MS_PER_SECOND));
  if (!order.isSmart) return { kind: 'execute', order, amount: amountOf(order, null), band: null };
  if (mayer === null) return { kind: 'needs_mayer', order };
  const { sources, ours, contracts } = mayer;
  if (sources < 2) return skip('SMART_ORDERS_OFF');
  if (ours === null) return skip('MAYER_UNKNOWN');
  if (!confirms(ours, contracts))
    return skip('MAYER_DISPUTED', {
      ours: decimalText(ours, SHOWN_PLACES),
      contracts: decimalText(contracts, SHOWN_PLACES),
    });
  const band = bandOf(contracts);
  const amount = amountOf(order, factorOf(band));
  // At the factor 0.5, an amount of one smallest unit is rounded to 0, so no swap is possible.
  if (amount === 0n) return skip('UNPROFITABLE');
  return mayGrow(order, amount, contracts, BigInt(blockTime) - due)
    ? skip('NEAR_BAND_EDGE', { contracts: decimalText(contracts, SHOWN_PLACES) })
    : { kind: 'execute', order, amount, band };
}

/**
 * Returns true if a small fall of the multiple would make the contract sell more than `amount`. The
 * contract computes the amount when it executes, and the minimum output protects only the amount
 * that is planned now.
 */
function mayGrow(order: Order, amount: bigint, multiple: Ratio, overdueSeconds: bigint): boolean {
  // The due time of a first execution is unknown, so it is never treated as overdue.
  const isOverdue = order.lastExecution > 0n && overdueSeconds >= OVERDUE_SECONDS;
  const below = bandBelow(multiple, isOverdue ? OVERDUE_EDGE_BPS : EDGE_BPS);
  return amountOf(order, factorOf(below)) > amount;
}

function skip(
  reason: SkipReason,
  details: Readonly<Record<string, string | number>> = {},
  dueAtMs: number | null = null,
): OrderJudgement {
  return { kind: 'skip', reason, details, dueAtMs };
}
