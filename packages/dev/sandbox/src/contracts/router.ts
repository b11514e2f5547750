import { Revert, type CallContext, type ContractModel } from '../engine/contract.js';
import { selectorOf } from '../engine/felt.js';
import { Arguments, modelClassHash, u256Felts, u256Result } from './calldata.js';
import { tokenBalance } from './erc20.js';
import { WHOLE, readRoutes, type BranchSwap, type DirectSwap, type Route } from './route.js';

/** Returns the storage key of an exchange. A value other than zero marks the exchange as known. */
export function exchangeKey(exchange: bigint): string {
  return `exchange:${exchange.toString(16)}`;
}

const BPS = 10_000n;
/** Maximum integrator fee, in 1/10,000. */
const MAX_INTEGRATOR_FEE_BPS = 500n;
/**
 * Minimum ratio between the price of an alternative and the price of the principal: the alternative
 * is used only if it is at least 0.01 % better.
 */
const BETTER = { numerator: 10_001n, denominator: 10_000n };
/**
 * L2 gas of the router. A swap of one step uses about 3 M, including one exchange and the
 * transfers.
 */
const SWAP_L2_GAS = 1_500_000n;
const SWAP = selectorOf('Swap');

interface SwapOrder {
  readonly sellToken: bigint;
  readonly sellAmount: bigint;
  readonly buyToken: bigint;
  readonly minimum: bigint;
  readonly beneficiary: bigint;
  readonly integratorFeeBps: bigint;
  readonly integrator: bigint;
  readonly routes: readonly Route[];
}

/**
 * Router of the aggregator: AVNU's Exchange contract, reduced to `multi_route_swap`. The model has
 * the real layout, sequence of checks, revert texts and Swap event. A percentage applies to the
 * router's balance at the start of the step. So the last step that sells a token must sell the
 * whole balance; otherwise the swap reverts with `Residual tokens`. AVNU's fee is zero. An
 * integrator's fee is deducted from the bought amount.
 */
export const router: ContractModel = {
  name: 'Router',
  classHash: modelClassHash('Router'),
  entrypoints: {
    multi_route_swap: (context, calldata) => {
      const order = readOrder(calldata);
      context.useL2Gas(SWAP_L2_GAS);
      collect(context, order);
      for (const route of order.routes) runRoute(context, route);
      const bought = payIntegrator(context, order);
      if (bought < order.minimum) throw new Revert('Insufficient tokens received');
      context.call(order.buyToken, 'transfer', [order.beneficiary, ...u256Felts(bought)]);
      requireNothingLeft(context, order);
      context.emit(
        [SWAP],
        [
          context.caller,
          order.sellToken,
          ...u256Felts(order.sellAmount),
          order.buyToken,
          ...u256Felts(bought),
          order.beneficiary,
        ],
      );
      return [1n];
    },
  },
};

function readOrder(calldata: readonly bigint[]): SwapOrder {
  const args = new Arguments(calldata);
  const sellToken = args.address();
  const sellAmount = args.u256();
  const buyToken = args.address();
  // The contract ignores the quoted amount.
  args.u256();
  const minimum = args.u256();
  const beneficiary = args.address();
  const integratorFeeBps = args.u128();
  const integrator = args.address();
  const routes = readRoutes(args, true);
  args.end();
  return {
    sellToken,
    sellAmount,
    buyToken,
    minimum,
    beneficiary,
    integratorFeeBps,
    integrator,
    routes,
  };
}

function collect(
  context: CallContext,
  { sellToken, sellAmount, buyToken, beneficiary, routes }: SwapOrder,
): void {
  if (beneficiary !== context.caller) throw new Revert('Beneficiary is not the caller');
  if (sellAmount === 0n) throw new Revert('Token from amount is 0');
  if (tokenBalance(context, sellToken, context.caller) < sellAmount)
    throw new Revert('Token from balance is too low');
  context.call(sellToken, 'transferFrom', [context.caller, context.self, ...u256Felts(sellAmount)]);
  if (routes.length === 0) throw new Revert('Routes is empty');
  if (routes[0]?.sellToken !== sellToken) throw new Revert('Invalid token from');
  if (routes.at(-1)?.buyToken !== buyToken) throw new Revert('Invalid token to');
}

function runRoute(context: CallContext, route: Route): void {
  if ('principal' in route.swap) {
    runBranch(context, route, route.swap);
    return;
  }
  const { exchange, percent } = route.swap;
  swapAt(
    context,
    route,
    exchange,
    partOf(tokenBalance(context, route.sellToken, context.self), percent),
  );
}

/**
 * Sells at each alternative whose price is better than the price of the principal exchange, and
 * sells the remainder at the principal exchange.
 */
function runBranch(
  context: CallContext,
  route: Route,
  { principal, alternatives }: BranchSwap,
): void {
  const whole = partOf(tokenBalance(context, route.sellToken, context.self), principal.percent);
  const principalOut = quoteAt(context, route, principal.exchange, whole);
  let left = whole;
  for (const { exchange, percent } of alternatives) {
    if (left === 0n) break;
    const part = partOf(left, percent);
    // The prices out / part and principalOut / whole are compared as cross products.
    const isBetter =
      quoteAt(context, route, exchange, part) * whole * BETTER.denominator >=
      principalOut * part * BETTER.numerator;
    if (!isBetter) continue;
    swapAt(context, route, exchange, part);
    left -= part;
  }
  if (left > 0n) swapAt(context, route, principal.exchange, left);
}

function partOf(amount: bigint, percent: DirectSwap['percent']): bigint {
  if (percent === 0n || percent > WHOLE) throw new Revert('Invalid route percent');
  return (amount * percent) / WHOLE;
}

function quoteAt(
  context: CallContext,
  { sellToken, buyToken }: Route,
  exchange: bigint,
  amount: bigint,
): bigint {
  requireKnown(context, exchange);
  return u256Result(context.call(exchange, 'quote', [sellToken, buyToken, ...u256Felts(amount)]));
}

function swapAt(
  context: CallContext,
  { sellToken, buyToken }: Route,
  exchange: bigint,
  amount: bigint,
): void {
  requireKnown(context, exchange);
  context.call(sellToken, 'approve', [exchange, ...u256Felts(amount)]);
  context.call(exchange, 'swap', [sellToken, buyToken, ...u256Felts(amount)]);
}

function requireKnown(context: CallContext, exchange: bigint): void {
  if (context.get(exchangeKey(exchange)) === 0n) throw new Revert('Unknown exchange');
}

/**
 * Pays the integrator's fee and returns the rest of the bought tokens, which the beneficiary
 * receives.
 */
function payIntegrator(
  context: CallContext,
  { buyToken, integratorFeeBps, integrator }: SwapOrder,
): bigint {
  if (integratorFeeBps > MAX_INTEGRATOR_FEE_BPS) throw new Revert('Integrator fees are too high');
  const bought = tokenBalance(context, buyToken, context.self);
  if (integratorFeeBps === 0n || integrator === 0n) return bought;
  const fee = (bought * integratorFeeBps) / BPS;
  context.call(buyToken, 'transfer', [integrator, ...u256Felts(fee)]);
  return bought - fee;
}

function requireNothingLeft(context: CallContext, { routes }: SwapOrder): void {
  const tokens = new Set(routes.flatMap((route) => [route.sellToken, route.buyToken]));
  for (const token of tokens)
    if (tokenBalance(context, token, context.self) !== 0n) throw new Revert('Residual tokens');
}
