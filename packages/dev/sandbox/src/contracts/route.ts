import { shortStringFelt, type Arguments } from './calldata.js';

/** Swap at one exchange. */
export interface DirectSwap {
  readonly exchange: bigint;
  /**
   * Part of the router's balance of the sell token that is sold. {@link WHOLE} is the whole
   * balance.
   */
  readonly percent: bigint;
  /** Parameters for the adapter of the exchange. */
  readonly params: readonly bigint[];
}

/**
 * Swap at the principal exchange, or at an alternative exchange if it has a better price when the
 * swap executes.
 */
export interface BranchSwap {
  readonly principal: DirectSwap;
  readonly alternatives: readonly DirectSwap[];
}

/** One step of a swap. */
export interface Route {
  readonly sellToken: bigint;
  readonly buyToken: bigint;
  readonly swap: DirectSwap | BranchSwap;
}

/** Value of 100 % in the router's unit, which has 10 decimals. */
export const WHOLE = 10n ** 12n;

/** Value in the position of the exchange that marks a branch. */
const BRANCH = shortStringFelt('branch');

/**
 * Reads an Array<Route> of the router.
 * @param knowsBranches false for a contract that was compiled against the older struct: it reads
 *   the marker as an exchange's address and fails on the following felts
 */
export function readRoutes(args: Arguments, knowsBranches: boolean): Route[] {
  return args.array(() => {
    const sellToken = args.address();
    const buyToken = args.address();
    if (!knowsBranches || args.peek() !== BRANCH)
      return { sellToken, buyToken, swap: readDirect(args) };
    args.felt();
    const principal = readDirect(args);
    return {
      sellToken,
      buyToken,
      swap: { principal, alternatives: args.array(() => readDirect(args)) },
    };
  });
}

/** Encodes an Array<Route> as calldata. The first felt is the array's length. */
export function routesFelts(routes: readonly Route[]): bigint[] {
  const steps = routes.flatMap(({ sellToken, buyToken, swap }) => [
    sellToken,
    buyToken,
    ...swapFelts(swap),
  ]);
  return [BigInt(routes.length), ...steps];
}

function swapFelts(swap: DirectSwap | BranchSwap): bigint[] {
  if (!('principal' in swap)) return directFelts(swap);
  return [
    BRANCH,
    ...directFelts(swap.principal),
    BigInt(swap.alternatives.length),
    ...swap.alternatives.flatMap(directFelts),
  ];
}

function directFelts({ exchange, percent, params }: DirectSwap): bigint[] {
  return [exchange, percent, BigInt(params.length), ...params];
}

function readDirect(args: Arguments): DirectSwap {
  return { exchange: args.address(), percent: args.u128(), params: args.span() };
}
