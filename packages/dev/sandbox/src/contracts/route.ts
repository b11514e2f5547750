import { shortStringFelt, type Arguments } from './calldata.js';

/** A swap at one exchange. */
export interface DirectSwap {
  readonly exchange: bigint;
  /** Part of the router's sell token balance; {@link WHOLE} is all of it. */
  readonly percent: bigint;
  /** Parameters of the exchange's adapter. */
  readonly params: readonly bigint[];
}

/** A swap at the principal exchange, unless an alternative is better at execution. */
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

/** 100 % in the router's unit: 10 decimals. */
export const WHOLE = 10n ** 12n;

/** Marker in the exchange's position that announces a branch. */
const BRANCH = shortStringFelt('branch');

/**
 * Reads the router's Array<Route>.
 * @param knowsBranches false for a contract compiled against the older struct: it reads the marker
 *   as an exchange's address and fails on the following felts
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

/** Encodes Array<Route> as calldata, prefixed by its length. */
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
