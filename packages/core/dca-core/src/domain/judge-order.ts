import type { SkipReason } from '@sotto/facts';
import { amountOf, dueAt } from './execution.js';
import { bandBelow, bandOf, confirms, factorOf, type Band } from './mayer-multiple.js';
import { isEnded, type Order } from './order.js';
import { decimalText, type Ratio } from './ratio.js';

/** Mayer Multiples needed to judge an order. */
interface MayerFacts {
  /** Number of configured sources of daily closes. */
  readonly sources: number;
  /** Multiple from spot price and daily closes; null if these do not suffice. */
  readonly ours: Ratio | null;
  readonly contracts: Ratio;
}

export interface OrderFacts {
  /** Null if the contract reverts for the id. */
  readonly order: Order | 'unreadable' | null;
  /** Timestamp of the block that the order was read at, in Unix seconds. */
  readonly blockTime: number;
  /** Null if not read yet; a due smart order needs it. */
  readonly mayer: MayerFacts | null;
}

export type OrderJudgement =
  | {
      readonly kind: 'execute';
      readonly order: Order;
      /** Amount in the sell token's smallest unit; positive. */
      readonly amount: bigint;
      /** Null for an order that is not smart. */
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
 * Distance above the edge of a band within which an execution waits, in hundredths of a percent of
 * the multiple. BTC moves less in the minutes between a check and its transaction's block.
 */
const EDGE_BPS = 100n;
/**
 * Distance for an execution that is a day overdue: a stable price must not delay an order forever.
 */
const OVERDUE_EDGE_BPS = 25n;
const OVERDUE_SECONDS = 86_400n;

/**
 * Returns the next execution if it is due at this block, or the reason why not. Prices are checked
 * later.
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
  // Half of the smallest unit rounds to 0: no swap is possible.
  if (amount === 0n) return skip('UNPROFITABLE');
  return mayGrow(order, amount, contracts, BigInt(blockTime) - due)
    ? skip('NEAR_BAND_EDGE', { contracts: decimalText(contracts, SHOWN_PLACES) })
    : { kind: 'execute', order, amount, band };
}

/**
 * Returns true if a small fall of the multiple makes the contract sell more. The contract computes
 * the amount when it executes. The minimum was computed for this amount and would not protect the
 * difference.
 */
function mayGrow(order: Order, amount: bigint, multiple: Ratio, overdueSeconds: bigint): boolean {
  // The due time of a first execution is unknown.
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
