import type { Felt } from '@sotto/kernel';

/**
 * Type of a field, which determines the range of its values. A u256 has two felts (low, high), any
 * other type one felt.
 */
export type FieldSize = 'bool' | 'u32' | 'u64' | 'u128' | 'u256' | 'felt';

/**
 * Names of order fields.
 * - `sell_token`: address of the ERC-20 token that is sold.
 * - `amount`: amount of one execution at the factor 1×, in the sell token's smallest unit.
 * - `remaining`: remaining deposit, in the sell token's smallest unit. A layout may instead have
 *   `deposited` and `spent`; their difference is the remaining deposit.
 * - `frequency`: seconds between two executions.
 * - `total`: number of executions that the owner ordered; `executed`: number of executions done so
 *   far.
 * - `last_execution`: Unix seconds; 0 before the first execution.
 * - `smart`: true if the Mayer Multiple adjusts the amount.
 * - `active`: false if the order is cancelled or completed. A layout may instead have `cancelled`,
 *   which has the opposite meaning.
 * - `ignored`: a field that is skipped, such as the owner.
 */
export const ORDER_FIELD_NAMES = [
  'sell_token',
  'amount',
  'remaining',
  'deposited',
  'spent',
  'frequency',
  'total',
  'executed',
  'last_execution',
  'smart',
  'active',
  'cancelled',
  'ignored',
] as const;
export type OrderFieldName = (typeof ORDER_FIELD_NAMES)[number];

export interface OrderField {
  readonly name: OrderFieldName;
  readonly size: FieldSize;
}

/**
 * Arguments of the call that executes an order, in the order of the contract's ABI. `order` is the
 * order's id (one felt), `minimum` is the minimum amount of WBTC as a u256, and `routes` are the
 * routes preceded by their number. A number is a constant felt.
 */
export type ExecutionRecipe = readonly ('order' | 'minimum' | 'routes' | number)[];

/** Layout of a deployed purchase contract, as configured in the network profile. */
export interface OrderLayout {
  /** Fields that the contract's view of an order returns, in the order of the contract's ABI. */
  readonly fields: readonly OrderField[];
  /**
   * Event of a new order: the event's selector, and the position of the order id in the keys or
   * data.
   */
  readonly created: {
    readonly selector: Felt;
    /** Position of the order id. `at` is zero-based; the selector itself is key 0. */
    readonly orderId: { readonly in: 'keys' | 'data'; readonly at: number };
  };
  /**
   * Type of the result of the Mayer Multiple view. The value `scale` represents a multiple of 1.0.
   */
  readonly mayerMultiple: { readonly size: FieldSize; readonly scale: bigint };
  readonly entrypoints: {
    /** Name of the view that returns one order by its id. @example 'get_order' */
    readonly order: string;
    /**
     * Name of the view of the Mayer Multiple; it has no arguments. @example 'get_mayer_multiple'
     */
    readonly mayerMultiple: string;
    /** @example 'execute_order' */
    readonly execute: string;
  };
  /** Arguments of the entry point `entrypoints.execute`. */
  readonly execution: ExecutionRecipe;
}

/** A purchase contract of the network profile. */
export interface PurchaseContract {
  readonly address: Felt;
  /** Number of the block in which the contract was deployed. No purchase order is older. */
  readonly firstBlock: number;
  /**
   * Fee that the contract pays the executing account, in hundredths of a percent of the bought
   * WBTC.
   */
  readonly keeperFeeBps: number;
  readonly layout: OrderLayout;
}

const FELTS_OF: Readonly<Record<FieldSize, number>> = {
  bool: 1,
  u32: 1,
  u64: 1,
  u128: 1,
  u256: 2,
  felt: 1,
};

const BITS_OF: Readonly<Record<Exclude<FieldSize, 'u256' | 'felt'>, bigint>> = {
  bool: 1n,
  u32: 32n,
  u64: 64n,
  u128: 128n,
};

const HALF_BITS = 128n;

export function feltsOf(size: FieldSize): number {
  return FELTS_OF[size];
}

/** Parses the felts of a field of this size; null if the value is out of range. */
export function readValue(size: FieldSize, felts: readonly bigint[]): bigint | null {
  const [low, high] = felts;
  if (felts.length !== FELTS_OF[size] || low === undefined) return null;
  if (size === 'felt') return low;
  if (size !== 'u256') return low >> BITS_OF[size] === 0n ? low : null;
  if (high === undefined || low >> HALF_BITS !== 0n || high >> HALF_BITS !== 0n) return null;
  return (high << HALF_BITS) | low;
}

/** Returns the number of felts that the contract's view of an order returns. */
export function feltsOfOrder({ fields }: Pick<OrderLayout, 'fields'>): number {
  return fields.reduce((sum, { size }) => sum + feltsOf(size), 0);
}

const REQUIRED = [
  ['sell_token'],
  ['amount'],
  ['remaining', 'deposited'],
  ['remaining', 'spent'],
  ['frequency'],
  ['total'],
  ['executed'],
  ['last_execution'],
  ['smart'],
  ['active', 'cancelled'],
] as const satisfies readonly (readonly OrderFieldName[])[];

/**
 * Returns the problems of a layout (missing and duplicate fields or arguments) as text for the
 * author of the profile. Returns an empty list if orders can be parsed by the layout.
 */
export function layoutProblems({ fields, execution, mayerMultiple }: OrderLayout): string[] {
  const count = (name: OrderFieldName): number =>
    fields.filter((field) => field.name === name).length;
  const missing = REQUIRED.filter((names) => !names.some((name) => count(name) > 0));
  const twice = ORDER_FIELD_NAMES.filter((name) => name !== 'ignored' && count(name) > 1);
  const parts = (['order', 'minimum', 'routes'] as const).filter(
    (part) => execution.filter((each) => each === part).length !== 1,
  );
  return [
    ...missing.map((names) => `the order has no field ${names.join(' or ')}`),
    ...twice.map((name) => `the order has more than one field ${name}`),
    ...parts.map((part) => `the call that executes an order has to have ${part} once`),
    ...(mayerMultiple.scale > 0n ? [] : ['the scale of the Mayer Multiple has to be above 0']),
  ];
}
