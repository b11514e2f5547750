import type { SkipReason } from '@sotto/facts';
import { amountOf, dueAt } from './execution.js';
import { bandBelow, bandOf, confirms, factorOf, type Band } from './mayer-multiple.js';
import { isEnded, type Order } from './order.js';
import { decimalText, type Ratio } from './ratio.js';

/** The Mayer Multiple, as an order's judgement needs it. */
interface MayerFacts {
  /** How many sources of daily closes are configured. */
  readonly sources: number;
  /** From spot price and daily closes; null where they do not give one. */
  readonly ours: Ratio | null;
  readonly contracts: Ratio;
}

export interface OrderFacts {
  /** Null where the contract reverts for the id. */
  readonly order: Order | 'unreadable' | null;
  /** Of the block that the order was read at, in Unix seconds. */
  readonly blockTime: number;
  /** Null for what is not read yet; a smart order that is due needs it. */
  readonly mayer: MayerFacts | null;
}

export type OrderJudgement =
  | {
      readonly kind: 'execute';
      readonly order: Order;
      /** In the sell token's smallest unit; above 0. */
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
 * So near above the edge of a band an execution waits, in hundredths of a percent of the multiple:
 * more than BTC moves in the minutes between a look and the block of its transaction.
 */
const EDGE_BPS = 100n;
/** The same once an execution is overdue for a day: what moves little keeps no order waiting. */
const OVERDUE_EDGE_BPS = 25n;
const OVERDUE_SECONDS = 86_400n;

/**
 * Whether the order's next execution is due at this block, and what it sells. Prices come later.
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
  // Half of the smallest unit: there is nothing to swap.
  if (amount === 0n) return skip('UNPROFITABLE');
  return mayGrow(order, amount, contracts, BigInt(blockTime) - due)
    ? skip('NEAR_BAND_EDGE', { contracts: decimalText(contracts, SHOWN_PLACES) })
    : { kind: 'execute', order, amount, band };
}

/**
 * Whether a small fall of the multiple makes the contract sell more. It computes the amount when it
 * executes: the minimum, which is made for this amount, would not protect the rest of that one.
 */
function mayGrow(order: Order, amount: bigint, multiple: Ratio, overdueSeconds: bigint): boolean {
  // Nothing says since when a first execution is due.
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
