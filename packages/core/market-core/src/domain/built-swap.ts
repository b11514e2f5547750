import { u256FromHalves, u256ToHalves, type Felt, type Felts } from '@sotto/kernel';
import { minimumOut, type BuiltCall } from './swap.js';
import { rejectSwapBuild as reject } from './swap-build-rejection.js';
import { readRoutes } from './swap-routes.js';

/** Requested swap. The calls that the aggregator built must agree with it. */
export interface SwapOrder {
  readonly sellToken: Felt;
  readonly sellAmount: bigint;
  readonly buyToken: Felt;
  /** Quoted output, in the bought token's smallest unit. */
  readonly quotedAmount: bigint;
  readonly slippagePpm: number;
  /** Minimum output that is required regardless of the quote; positive. */
  readonly floor: bigint;
  /** Account or contract that will call the router and must receive the bought token. */
  readonly taker: Felt;
  readonly routers: ReadonlySet<Felt>;
  /** True if the swap pool can parse `branch` routes. */
  readonly allowBranchRoutes: boolean;
}

/** Checked build that agrees with its {@link SwapOrder}. */
export interface CheckedSwap {
  /** Minimum output in the bought token's smallest unit; positive. */
  readonly minimumOut: bigint;
  /** The router's `Array<Route>` as calldata, preceded by its length. */
  readonly routes: Felts;
  /** Calls exactly as the aggregator built them, for a taker that is an account. */
  readonly calls: { readonly approval: BuiltCall; readonly swap: BuiltCall };
}

/**
 * Positions of the felts in the calldata of `multi_route_swap`. The routes begin at `routes`.
 * Source: signature of the router.
 */
const AT = {
  sellToken: 0,
  sellAmount: 1,
  buyToken: 3,
  minimum: 6,
  beneficiary: 8,
  integratorFee: 9,
  routes: 11,
} as const;

const APPROVE_FELTS = 3;

/**
 * Checks all calls that an aggregator built for a swap before any of them is signed. A swap pool as
 * taker calls the router itself and uses only the minimum and the routes of the build.
 * Nevertheless, any flaw rejects the whole build, because a flawed build may be hostile.
 * @throws SwapBuildRejected if there is a flaw; `details.reason` is the first flaw.
 */
export function checkBuiltSwap(calls: readonly BuiltCall[], order: SwapOrder): CheckedSwap {
  const [approval, swap, ...more] = calls;
  if (approval === undefined || swap === undefined || more.length > 0) return reject('calls');
  if (approval.entrypoint !== 'approve' || swap.entrypoint !== 'multi_route_swap') reject('calls');
  if (!order.routers.has(swap.to)) reject('router');
  checkApproval(approval, swap.to, order);
  return { ...checkSwap(swap.calldata, order), calls: { approval, swap } };
}

function checkApproval(
  { to, calldata }: BuiltCall,
  router: Felt,
  { sellToken, sellAmount }: SwapOrder,
): void {
  if (to !== sellToken) reject('approve_token');
  if (calldata.length !== APPROVE_FELTS) reject('calls');
  if (calldata.feltAt(0) !== router) reject('approve_spender');
  if (!isU256(calldata, 1, sellAmount)) reject('approve_amount');
}

function checkSwap(calldata: Felts, order: SwapOrder): Omit<CheckedSwap, 'calls'> {
  if (calldata.length <= AT.routes) reject('calls');
  if (calldata.feltAt(AT.sellToken) !== order.sellToken) reject('sell_token');
  if (!isU256(calldata, AT.sellAmount, order.sellAmount)) reject('sell_amount');
  if (calldata.feltAt(AT.buyToken) !== order.buyToken) reject('buy_token');
  const minimum = u256At(calldata, AT.minimum);
  if (minimum === null || minimum < leastMinimum(order)) return reject('minimum_out');
  if (calldata.feltAt(AT.beneficiary) !== order.taker) reject('beneficiary');
  if (calldata.at(AT.integratorFee) !== 0n) reject('integrator_fee');

  const routes = calldata.slice(AT.routes);
  const legs = readRoutes(routes);
  if (legs.at(0)?.sellToken !== order.sellToken || legs.at(-1)?.buyToken !== order.buyToken)
    reject('route_tokens');
  if (!order.allowBranchRoutes && legs.some(({ form }) => form === 'branch')) reject('route_form');
  return { minimumOut: minimum, routes };
}

function leastMinimum({ quotedAmount, slippagePpm, floor }: SwapOrder): bigint {
  const tolerated = minimumOut(quotedAmount, slippagePpm);
  return tolerated > floor ? tolerated : floor;
}

function isU256(felts: Felts, index: number, expected: bigint): boolean {
  const [low, high] = u256ToHalves(expected);
  return felts.at(index) === low && felts.at(index + 1) === high;
}

/** Parses a u256 from two felts. Returns null if the low or high half is out of range. */
function u256At(felts: Felts, index: number): bigint | null {
  const [low, high] = [felts.at(index), felts.at(index + 1)];
  const limit = 1n << 128n;
  return low < limit && high < limit ? u256FromHalves(low, high) : null;
}
