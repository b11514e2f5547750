import { Felts, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';
import type { Order } from './order.js';
import type { ExecutionRecipe } from './order-layout.js';
import { BANDS, factorOf } from './mayer-multiple.js';
import { BPS, compareRatios, type Ratio } from './ratio.js';

/** Kind of every execution of an order. */
export const EXECUTION_KIND = 'execute_order';

/**
 * Returns the amount of an order's next execution, in the sell token's smallest unit, as the
 * contract computes it.
 * @param factor factor of the contract's band for a smart order, otherwise null
 */
export function amountOf(
  { amount, remaining }: Pick<Order, 'amount' | 'remaining'>,
  factor: Ratio | null,
): bigint {
  const wanted = factor === null ? amount : (amount * factor.numerator) / factor.denominator;
  return wanted < remaining ? wanted : remaining;
}

/** Returns the highest amount that the next execution can sell at any Mayer Multiple. */
export function mostAmountOf(order: Order): bigint {
  return amountOf(order, order.isSmart ? factorOf(BANDS[0]) : null);
}

/**
 * Returns the due time of the next execution, in Unix seconds. The first execution is due
 * immediately. The period starts at the contract's recorded last execution, so no execution makes
 * up for a missed period.
 */
export function dueAt({
  lastExecution,
  frequencySeconds,
}: Pick<Order, 'lastExecution' | 'frequencySeconds'>): bigint {
  return lastExecution === 0n ? 0n : lastExecution + frequencySeconds;
}

export interface ExecutionEconomics {
  /** Minimum output of the execution, in sats of WBTC. */
  readonly minimumSats: bigint;
  /** Fee that the contract pays the keeper, in hundredths of a percent of the output. */
  readonly keeperFeeBps: number;
  /** Prices of STRK and WBTC in 1e-8 USD, one pair per source. */
  readonly prices: readonly { readonly strkUsdE8: bigint; readonly wbtcUsdE8: bigint }[];
  /** Cost of the execution's transaction, in fri. */
  readonly costFri: bigint;
  /**
   * Minimum fee in percent of the cost. A value of 100 means that the minimum fee equals the cost.
   */
  readonly leastFeePercent: number;
}

const SATS = 10n ** 8n;
const FRI = 10n ** 18n;
const PERCENT = 100n;

/** Returns the keeper's fee in fri, at the prices of the source that values the fee lowest. */
export function feeFri({
  minimumSats,
  keeperFeeBps,
  prices,
}: Pick<ExecutionEconomics, 'minimumSats' | 'keeperFeeBps' | 'prices'>): Ratio {
  const fees = prices.map(({ strkUsdE8, wbtcUsdE8 }): Ratio => ({
    numerator: minimumSats * BigInt(keeperFeeBps) * wbtcUsdE8 * FRI,
    denominator: BPS * SATS * strkUsdE8,
  }));
  return fees.reduce((a, b) => (compareRatios(a, b) <= 0 ? a : b));
}

/** Returns true if the keeper's fee is at least the gas cost plus the margin. */
export function isProfitable(economics: ExecutionEconomics): boolean {
  return isWorth(feeFri(economics), economics.costFri, economics.leastFeePercent);
}

/** Returns true if the fee is at least `leastFeePercent` of the cost. Fee and cost are in fri. */
export function isWorth(fee: Ratio, costFri: bigint, leastFeePercent: number): boolean {
  const needed = { numerator: costFri * BigInt(leastFeePercent), denominator: PERCENT };
  return compareRatios(fee, needed) >= 0;
}

/** Returns the prefix of the keys of all executions of an order: `chain|dca|contract|order`. */
export function executionSeries(chainId: Felt, contract: Felt, orderId: bigint): string {
  return `${chainId}|dca|${contract}|${orderId}`;
}

/**
 * Returns the ledger key of an order's execution. The number is the contract's own count of
 * executions before it. So the key is used only when the previous execution is on chain, regardless
 * of the account that sent the previous execution.
 */
export function executionKey(series: string, executed: number): string {
  return `${series}|${executed}`;
}

/**
 * Builds the purpose of an execution, which identifies the order and the number of the execution.
 */
export function executionPurpose(contract: Felt, orderId: bigint, executed: number): CallPurpose {
  return { kind: EXECUTION_KIND, subject: contract, memo: `${orderId}|${executed}` };
}

export interface ExecutionCall {
  readonly orderId: bigint;
  /** Minimum output of the swap, in sats of WBTC. */
  readonly minimumSats: bigint;
  /** The router's `Array<Route>` as calldata, preceded by its length. */
  readonly routes: Felts;
}

/** @throws RangeError if the minimum is not a u256; InvalidFelt if a number is not a felt */
export function executionCalldata(
  recipe: ExecutionRecipe,
  { orderId, minimumSats, routes }: ExecutionCall,
): Felts {
  return Felts.of(
    recipe.flatMap((part) => {
      if (part === 'order') return [orderId];
      if (part === 'minimum') return [...u256ToHalves(minimumSats)];
      if (part === 'routes') return routes.toHex().map((felt) => BigInt(felt));
      return [BigInt(part)];
    }),
  );
}

const HALF_BITS = 128n;
const ORDER_ID_BITS = 64n;

/**
 * Parses order and minimum from calldata with the arguments in `recipe`; null if the felts do not
 * match these arguments. The routes are the felts between the arguments before and after them and
 * are not parsed.
 */
export function readExecution(recipe: ExecutionRecipe, calldata: Felts): ExecutionCall | null {
  const routesAt = recipe.indexOf('routes');
  const before = recipe.slice(0, routesAt);
  const after = recipe.slice(routesAt + 1);
  const [lengthBefore, lengthAfter] = [feltsOfParts(before), feltsOfParts(after)];
  const routesEnd = calldata.length - lengthAfter;
  if (routesAt < 0 || routesEnd <= lengthBefore) return null;
  const parts = [
    ...readParts(before, calldata.slice(0, lengthBefore)),
    ...readParts(after, calldata.slice(routesEnd)),
  ];
  const valueOf = (wanted: 'order' | 'minimum'): bigint | null =>
    parts.find(({ part }) => part === wanted)?.value ?? null;
  const orderId = valueOf('order');
  const minimumSats = valueOf('minimum');
  if (orderId === null || orderId >> ORDER_ID_BITS !== 0n || minimumSats === null) return null;
  const call = { orderId, minimumSats, routes: calldata.slice(lengthBefore, routesEnd) };
  return executionCalldata(recipe, call).equals(calldata) ? call : null;
}

function feltsOfParts(parts: ExecutionRecipe): number {
  return parts.reduce<number>((sum, part) => sum + (part === 'minimum' ? 2 : 1), 0);
}

function readParts(
  parts: ExecutionRecipe,
  felts: Felts,
): readonly { readonly part: ExecutionRecipe[number]; readonly value: bigint | null }[] {
  let at = 0;
  return parts.map((part) => {
    if (part !== 'minimum') return { part, value: felts.at(at++) };
    const [low, high] = [felts.at(at), felts.at(at + 1)];
    at += 2;
    const isU256 = low >> HALF_BITS === 0n && high >> HALF_BITS === 0n;
    return { part, value: isU256 ? u256FromHalves(low, high) : null };
  });
}

/** Returns the text by which the keeper and its operators identify an order. */
export function orderSubject(orderId: bigint): string {
  return orderId.toString();
}

const ORDER_ID = /^(?:0|[1-9][0-9]{0,19})$/;

/** Parses the id of an order; null if the text is not an id. */
export function orderIdOf(subject: string): bigint | null {
  if (!ORDER_ID.test(subject)) return null;
  const orderId = BigInt(subject);
  return orderId >> ORDER_ID_BITS === 0n ? orderId : null;
}
