import { toFelt, type Felt, type Felts } from '@sotto/kernel';
import {
  feltsOf,
  feltsOfOrder,
  readValue,
  type OrderFieldName,
  type OrderLayout,
} from './order-layout.js';

/** State of a purchase order in the contract at one block. The owner is not read. */
export interface Order {
  readonly sellToken: Felt;
  /** Amount of one execution at the factor 1×, in the sell token's smallest unit; positive. */
  readonly amount: bigint;
  /** Remaining deposit, in the sell token's smallest unit. */
  readonly remaining: bigint;
  /** Seconds between two executions; positive. */
  readonly frequencySeconds: bigint;
  readonly total: number;
  /** Number of executions that the contract has counted; at most `total`. */
  readonly executed: number;
  /** Time of the last execution in Unix seconds; 0 before the first execution. */
  readonly lastExecution: bigint;
  /** True if the Mayer Multiple adjusts the amount. */
  readonly isSmart: boolean;
  /** False if the order is cancelled or the contract has completed it. */
  readonly isActive: boolean;
}

/**
 * Parses an order from the felts that the contract's view returned.
 * @returns `unreadable` unless the number of felts matches, every value is in the range of its
 *   field, and the values are consistent
 */
export function parseOrder(
  layout: Pick<OrderLayout, 'fields'>,
  felts: Felts,
): Order | 'unreadable' {
  const values = valuesOf(layout, felts);
  if (values === null) return 'unreadable';
  const value = (name: OrderFieldName): bigint | undefined => values.get(name);
  const remaining = remainingOf(values);
  const isActive = activeOf(values);
  const [amount, frequencySeconds, total, executed] = [
    value('amount'),
    value('frequency'),
    value('total'),
    value('executed'),
  ];
  const [sellToken, lastExecution, smart] = [
    value('sell_token'),
    value('last_execution'),
    value('smart'),
  ];
  if (
    sellToken === undefined ||
    amount === undefined ||
    remaining === null ||
    frequencySeconds === undefined ||
    total === undefined ||
    executed === undefined ||
    lastExecution === undefined ||
    smart === undefined ||
    isActive === null
  )
    return 'unreadable';
  if (sellToken === 0n || amount === 0n || frequencySeconds === 0n) return 'unreadable';
  if (total === 0n || total > MOST_EXECUTIONS || executed > total || smart > 1n)
    return 'unreadable';
  return {
    sellToken: toFelt(sellToken),
    amount,
    remaining,
    frequencySeconds,
    total: Number(total),
    executed: Number(executed),
    lastExecution,
    isSmart: smart === 1n,
    isActive,
  };
}

/**
 * Maximum number of executions of an order: the maximum of a u32. The contract has a lower limit
 * (365), but this code does not rely on it.
 */
const MOST_EXECUTIONS = 2n ** 32n - 1n;

/** Returns true if the order can have no further execution. */
export function isEnded({ isActive, executed, total, remaining }: Order): boolean {
  return !isActive || executed >= total || remaining === 0n;
}

function valuesOf(
  layout: Pick<OrderLayout, 'fields'>,
  felts: Felts,
): ReadonlyMap<OrderFieldName, bigint> | null {
  if (felts.length !== feltsOfOrder(layout)) return null;
  const values = new Map<OrderFieldName, bigint>();
  let at = 0;
  for (const { name, size } of layout.fields) {
    const taken = Array.from({ length: feltsOf(size) }, (_, index) => felts.at(at + index));
    at += taken.length;
    const value = readValue(size, taken);
    if (value === null) return null;
    values.set(name, value);
  }
  return values;
}

/**
 * Returns the remaining deposit. Returns null if the layout has neither `remaining` nor `deposited`
 * and `spent`, or if more was spent than deposited.
 */
function remainingOf(values: ReadonlyMap<OrderFieldName, bigint>): bigint | null {
  const remaining = values.get('remaining');
  if (remaining !== undefined) return remaining;
  const [deposited, spent] = [values.get('deposited'), values.get('spent')];
  if (deposited === undefined || spent === undefined || spent > deposited) return null;
  return deposited - spent;
}

/**
 * Returns true if the order is active. Returns null if the layout has neither `active` nor
 * `cancelled`, or if the value is neither 0 nor 1.
 */
function activeOf(values: ReadonlyMap<OrderFieldName, bigint>): boolean | null {
  const active = values.get('active');
  const cancelled = values.get('cancelled');
  const flag = active ?? cancelled;
  if (flag === undefined || flag > 1n) return null;
  return active === undefined ? flag === 0n : flag === 1n;
}
