/**
 * Maximum units of each resource that a call may use, and the factor by which the price of a
 * resource may rise. Source: spec, Limits.
 */
export interface ResourceLimits {
  readonly l2Gas: bigint;
  readonly l1Gas: bigint;
  readonly l1DataGas: bigint;
  /** Factor of the maximum price: maximum price = current price × `priceMultiplier`. */
  readonly priceMultiplier: bigint;
}

/** Prices of one unit of each resource, in fri. */
export interface GasPrices {
  readonly l2GasFri: bigint;
  readonly l1GasFri: bigint;
  readonly l1DataGasFri: bigint;
}

export interface ResourceBound {
  readonly maxAmount: bigint;
  readonly maxPriceFri: bigint;
}

/** Resource bounds of a v3 transaction, and its tip in fri per unit of L2 gas. */
export interface ResourceBounds {
  readonly l2Gas: ResourceBound;
  readonly l1Gas: ResourceBound;
  readonly l1DataGas: ResourceBound;
  readonly tipFri: bigint;
}

/**
 * Lowest maximum price that the sequencer accepts for L2 gas, in fri. Source: gateway configuration
 * of Starknet 0.14.
 */
export const L2_GAS_PRICE_FLOOR_FRI = 8_000_000_000n;

/** Returns the resource bounds for these limits at the current gas prices. */
export function boundsFor(limits: ResourceLimits, prices: GasPrices): ResourceBounds {
  const l2Price =
    prices.l2GasFri > L2_GAS_PRICE_FLOOR_FRI ? prices.l2GasFri : L2_GAS_PRICE_FLOOR_FRI;
  return {
    l2Gas: { maxAmount: limits.l2Gas, maxPriceFri: l2Price * limits.priceMultiplier },
    l1Gas: {
      maxAmount: limits.l1Gas,
      maxPriceFri: atLeastOne(prices.l1GasFri * limits.priceMultiplier),
    },
    l1DataGas: {
      maxAmount: limits.l1DataGas,
      maxPriceFri: atLeastOne(prices.l1DataGasFri * limits.priceMultiplier),
    },
    tipFri: 0n,
  };
}

/**
 * Returns the balance that a node requires for a transaction with these resource bounds, in fri: Σ
 * amount × price.
 */
export function worstCaseFri({ l2Gas, l1Gas, l1DataGas, tipFri }: ResourceBounds): bigint {
  return (
    l2Gas.maxAmount * (l2Gas.maxPriceFri + tipFri) +
    l1Gas.maxAmount * l1Gas.maxPriceFri +
    l1DataGas.maxAmount * l1DataGas.maxPriceFri
  );
}

/**
 * True if a transaction with the bounds `by` may replace a transaction with `bounds`. The L2 gas
 * price must be at least 10 % higher. The tip must also be at least 10 % higher, unless it is 0.
 * Source: mempool configuration.
 */
export function outbid(bounds: ResourceBounds, by: ResourceBounds): boolean {
  return (
    by.l2Gas.maxPriceFri >= tenthMore(bounds.l2Gas.maxPriceFri) &&
    by.tipFri >= (bounds.tipFri === 0n ? 0n : tenthMore(bounds.tipFri))
  );
}

/** True if a replacement with a 10 % higher L2 gas price does not exceed the ceiling. */
export function canBeOutbid({ l2Gas }: ResourceBounds, ceilingL2PriceFri: bigint): boolean {
  return tenthMore(l2Gas.maxPriceFri) <= ceilingL2PriceFri;
}

/**
 * Returns `bounds` with prices that outbid `others` and are not below the current prices, but never
 * exceed the ceiling.
 */
export function raised(
  bounds: ResourceBounds,
  others: readonly ResourceBounds[],
  ceilingL2PriceFri: bigint,
): ResourceBounds {
  const highest = (of: (b: ResourceBounds) => bigint): bigint =>
    others.map(of).reduce((a, b) => (a > b ? a : b), 0n);
  const wanted = max(bounds.l2Gas.maxPriceFri, tenthMore(highest((b) => b.l2Gas.maxPriceFri)));
  const tip = highest((b) => b.tipFri);
  return {
    ...bounds,
    l2Gas: {
      ...bounds.l2Gas,
      maxPriceFri: wanted < ceilingL2PriceFri ? wanted : ceilingL2PriceFri,
    },
    tipFri: max(bounds.tipFri, tip === 0n ? 0n : tenthMore(tip)),
  };
}

const tenthMore = (price: bigint): bigint => (price * 11n + 9n) / 10n;
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const atLeastOne = (price: bigint): bigint => max(price, 1n);
