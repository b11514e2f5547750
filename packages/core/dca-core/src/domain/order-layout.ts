import type { Felt } from '@sotto/kernel';

/** Range of a value. A u256 has two felts (low, high), any other value one. */
export type FieldSize = 'bool' | 'u32' | 'u64' | 'u128' | 'u256' | 'felt';

/**
 * Names of order fields.
 * - `sell_token`: address of the token that is sold.
 * - `amount`: amount of one execution at 1×, in the sell token's smallest unit.
 * - `remaining`: remaining deposit, in the same unit; or `deposited` and `spent`, whose difference
 *   it is.
 * - `frequency`: seconds between two executions.
 * - `total`, `executed`: number of executions ordered and done.
 * - `last_execution`: Unix seconds; 0 before the first one.
 * - `smart`: true if the Mayer Multiple adjusts the amount.
 * - `active`: false once cancelled or completed; or `cancelled`, which is the opposite.
 * - `ignored`: skipped, such as the owner.
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
 * Arguments of the call that executes an order, in order: the order's id (one felt), the minimum
 * amount of WBTC as a u256, and the routes with their count first; a number is that felt.
 */
export type ExecutionRecipe = readonly ('order' | 'minimum' | 'routes' | number)[];

/** Layout of a deployment of the purchase contract: data of the network profile. */
export interface OrderLayout {
  /** Fields returned by the view of an order, in order. */
  readonly fields: readonly OrderField[];
  /** Event of a new order: its selector, and the position of the id in its keys or data. */
  readonly created: {
    readonly selector: Felt;
    /** `at` counts from 0; the selector itself is key 0. */
    readonly orderId: { readonly in: 'keys' | 'data'; readonly at: number };
  };
  /** Result of the view of the Mayer Multiple: 1.0 is `scale`. */
  readonly mayerMultiple: { readonly size: FieldSize; readonly scale: bigint };
  readonly entrypoints: {
    /** View of one order, by its id. @example 'get_order' */
    readonly order: string;
    /** View without arguments. @example 'get_mayer_multiple' */
    readonly mayerMultiple: string;
    /** @example 'execute_order' */
    readonly execute: string;
  };
  /** Arguments of `entrypoints.execute`. */
  readonly execution: ExecutionRecipe;
}

/** A purchase contract of the network profile. */
export interface PurchaseContract {
  readonly address: Felt;
  /** Block of its deployment: no order is older. */
  readonly firstBlock: number;
  /** Fee that the contract pays the executing account, in hundredths of a percent of the WBTC. */
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

/** Number of felts that the view of an order returns. */
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
 * Lists missing and duplicate parts of a layout, as text for the author of the profile; empty if
 * orders can be parsed by it.
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
