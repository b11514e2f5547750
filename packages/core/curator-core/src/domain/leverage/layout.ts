import { Felts, u256FromHalves, u256ToHalves } from '@sotto/kernel';
import { SECONDS_PER_YEAR, type LeveragePosition } from './position.js';

/**
 * Kind of an argument in a call that executes a round:
 * - `expected_debt`: u256, debt of the vault before the round, in the unit of `nominalDebt` in the
 *   vault's view. The vault reverts the call if its debt differs;
 * - `borrow`: u256, amount to borrow, in the debt's ERC-20 token; 0 in a round down;
 * - `withdraw`: u256, amount of collateral to withdraw; 0 in a round up;
 * - `minimum`: u256, minimum output of the swap, in the ERC-20 token that the swap buys;
 * - `routes`: the router's `Array<Route>`, preceded by its length;
 * - `increase`: bool, 1 in a round up, 0 in a round down;
 * - a number: this number as a constant felt.
 */
export type LeverageArgument =
  'expected_debt' | 'borrow' | 'withdraw' | 'minimum' | 'routes' | 'increase' | number;

export interface LeverageEntry {
  readonly entrypoint: string;
  /**
   * Arguments in the order of the contract. `expected_debt`, `minimum` and `routes` occur once
   * each, and either `borrow` or `withdraw` occurs, depending on the direction.
   */
  readonly calldata: readonly LeverageArgument[];
}

/** A field in the result of the position view. Fields named `unused` are skipped. */
export type PositionField = Exclude<keyof LeveragePosition, 'held'> | 'unused';

export interface PositionViewField {
  readonly field: PositionField;
  /** Number of felts: 2 for a u256 (low, high), 1 for any other type. */
  readonly felts: 1 | 2;
}

/**
 * View of the vault that returns its position. The view has no arguments; `fields` lists the fields
 * of its result in the contract's order. `collateral` and `debt` are required. A missing
 * `nominalDebt` is equal to the debt; other missing fields are read from the lending pool. Rates
 * and loan-to-value are 1e18 for 100 %. Rates are for a year of 360 days unless `ratesPerSecond` is
 * true.
 */
export interface PositionView {
  readonly entrypoint: string;
  readonly fields: readonly PositionViewField[];
  readonly ratesPerSecond?: boolean;
}

/**
 * Calls that change a vault's leverage.
 * - `rounds`: one round is one transaction. Up: borrow, swap, supply. Down: withdraw, swap, repay.
 *   A round can borrow only as much as the collateral covers, so a high target needs several
 *   rounds.
 * - `lever`: one entry point reaches any leverage in one transaction, up or down, through a flash
 *   loan.
 */
export type LeverageLayout =
  | {
      readonly form: 'rounds';
      readonly position: PositionView;
      readonly up: LeverageEntry;
      readonly down: LeverageEntry;
      /**
       * True if a round down that withdraws nothing repays with the debt tokens that the vault
       * itself holds.
       * @default false
       */
      readonly repaysHeld?: boolean;
    }
  | { readonly form: 'lever'; readonly position: PositionView; readonly lever: LeverageEntry };

/** One leverage transaction of a vault. */
export interface LeverageCall {
  readonly direction: 'up' | 'down';
  /** Debt of the vault before the call, in the unit of {@link LeveragePosition.nominalDebt}. */
  readonly expectedDebt: bigint;
  /**
   * Amount to borrow in a round up (in the debt's ERC-20 token), or to withdraw in a round down (in
   * the collateral's ERC-20 token).
   */
  readonly amount: bigint;
  /** Minimum output of the swap, in the ERC-20 token that the swap buys. */
  readonly minimumOut: bigint;
  /** The router's `Array<Route>` as calldata, preceded by its length. */
  readonly routes: Felts;
}

const HALF_BITS = 128n;

export function leverageEntry(
  layout: LeverageLayout,
  direction: LeverageCall['direction'],
): LeverageEntry {
  return layout.form === 'lever' ? layout.lever : layout[direction];
}

/**
 * Encodes a leverage transaction as calldata in the given layout.
 * @throws RangeError if an amount is not a u256; InvalidFelt if a number is not a felt.
 */
export function leverageCalldata(layout: LeverageLayout, call: LeverageCall): Felts {
  const { calldata } = leverageEntry(layout, call.direction);
  return Felts.of(calldata.flatMap((argument) => argumentFelts(argument, call)));
}

function argumentFelts(argument: LeverageArgument, call: LeverageCall): readonly bigint[] {
  const isUp = call.direction === 'up';
  switch (argument) {
    case 'expected_debt':
      return u256ToHalves(call.expectedDebt);
    case 'borrow':
      return u256ToHalves(isUp ? call.amount : 0n);
    case 'withdraw':
      return u256ToHalves(isUp ? 0n : call.amount);
    case 'minimum':
      return u256ToHalves(call.minimumOut);
    case 'routes':
      return Array.from({ length: call.routes.length }, (_, index) => call.routes.at(index));
    case 'increase':
      return [isUp ? 1n : 0n];
    default:
      return [BigInt(argument)];
  }
}

/**
 * Parses calldata of a round in this direction. The length of the routes follows from the lengths
 * of the other arguments. Returns null if the felts are not calldata of this layout.
 */
export function parseLeverageCall(
  layout: LeverageLayout,
  direction: LeverageCall['direction'],
  felts: Felts,
): LeverageCall | null {
  const recipe = leverageEntry(layout, direction).calldata;
  const fixed = recipe.reduce<number>((sum, argument) => sum + widthOf(argument), 0);
  const routesLength = felts.length - fixed;
  if (!recipe.includes('routes') || routesLength < 1) return null;
  const call = { direction, expectedDebt: 0n, amount: 0n, minimumOut: 0n, routes: felts };
  let position = 0;
  for (const argument of recipe) {
    if (argument === 'routes') {
      call.routes = felts.slice(position, position + routesLength);
      position += routesLength;
      continue;
    }
    if (widthOf(argument) === 2) {
      const value = u256At(felts, position);
      if (value === null) return null;
      if (argument === 'expected_debt') call.expectedDebt = value;
      else if (argument === 'minimum') call.minimumOut = value;
      else if ((argument === 'borrow') === (direction === 'up')) call.amount = value;
    }
    position += widthOf(argument);
  }
  return leverageCalldata(layout, call).equals(felts) ? call : null;
}

/** Returns the number of felts of an argument; 0 for routes, whose length varies. */
function widthOf(argument: LeverageArgument): 0 | 1 | 2 {
  if (argument === 'routes') return 0;
  return argument === 'increase' || typeof argument === 'number' ? 1 : 2;
}

/** Position fields returned by the vault's own view. */
export type ViewedPosition = Pick<LeveragePosition, 'collateral' | 'debt'> &
  Partial<Omit<LeveragePosition, 'held'>>;

/** Parses the result of the vault's view. Returns null if the felts do not match the layout. */
export function parsePosition(layout: LeverageLayout, felts: Felts): ViewedPosition | null {
  const { fields, ratesPerSecond = false } = layout.position;
  if (felts.length !== fields.reduce((sum, { felts: width }) => sum + width, 0)) return null;
  const values = new Map<PositionField, bigint>();
  let position = 0;
  for (const { field, felts: width } of fields) {
    const value = width === 2 ? u256At(felts, position) : felts.at(position);
    if (value === null) return null;
    const isRate = field === 'borrowRateE18' || field === 'supplyRateE18';
    values.set(field, isRate && ratesPerSecond ? value * SECONDS_PER_YEAR : value);
    position += width;
  }
  values.delete('unused');
  const [collateral, debt] = [values.get('collateral'), values.get('debt')];
  if (collateral === undefined || debt === undefined) return null;
  return { ...Object.fromEntries(values), collateral, debt };
}

/** Parses a u256 from two felts. Returns null if the low or the high half is out of range. */
function u256At(felts: Felts, index: number): bigint | null {
  const [low, high] = [felts.at(index), felts.at(index + 1)];
  return low >> HALF_BITS === 0n && high >> HALF_BITS === 0n ? u256FromHalves(low, high) : null;
}
