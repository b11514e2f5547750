import { Felts, toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import type { SwapOrder } from '../../src/domain/built-swap.js';
import type { BuiltCall } from '../../src/index.js';

const BRANCH = 0x6272616e6368n;
const WHOLE = 10n ** 12n;
export const SOLD = 0xb7cn;
export const BOUGHT = 0x57124n;
export const MIDDLE = 0x05dcn;
export const ROUTER = 0x4270n;
export const POOL = 0x59abn;
export const SELL_AMOUNT = (1n << 130n) + 19_850n;
const QUOTED = (1n << 129n) + 7n;
/** Minimum output if the tolerance is 1 %, rounded down. */
export const MINIMUM = (QUOTED * 99n) / 100n;

export const order: SwapOrder = {
  sellToken: toFelt(SOLD),
  sellAmount: SELL_AMOUNT,
  buyToken: toFelt(BOUGHT),
  quotedAmount: QUOTED,
  slippagePpm: 10_000,
  floor: 1n,
  taker: toFelt(POOL),
  routers: new Set<Felt>([toFelt(ROUTER)]),
  allowBranchRoutes: false,
};

export interface Exchange {
  readonly address: bigint;
  readonly percent: bigint;
  readonly params: readonly bigint[];
}

const exchangeFelts = ({ address, percent, params }: Exchange): readonly bigint[] => [
  address,
  percent,
  BigInt(params.length),
  ...params,
];

export function direct(
  sell: bigint,
  buy: bigint,
  exchange: Partial<Exchange> = {},
): readonly bigint[] {
  return [
    sell,
    buy,
    ...exchangeFelts({ address: 0xe8n, percent: WHOLE, params: [3_000n, 60n], ...exchange }),
  ];
}

export function branch(
  sell: bigint,
  buy: bigint,
  principal: Partial<Exchange> = {},
  alternatives: readonly Exchange[] = [],
): readonly bigint[] {
  const [, , ...swap] = direct(sell, buy, principal);
  return [
    sell,
    buy,
    BRANCH,
    ...swap,
    BigInt(alternatives.length),
    ...alternatives.flatMap(exchangeFelts),
  ];
}

/** Routes of a swap in two legs through a third token. */
export const ROUTES: readonly bigint[] = [2n, ...direct(SOLD, MIDDLE), ...direct(MIDDLE, BOUGHT)];

export const APPROVE: readonly bigint[] = [ROUTER, ...u256ToHalves(SELL_AMOUNT)];

/** First felts of `multi_route_swap` in the router's layout. The routes follow them. */
export const HEAD: readonly bigint[] = [
  SOLD,
  ...u256ToHalves(SELL_AMOUNT),
  BOUGHT,
  ...u256ToHalves(QUOTED),
  ...u256ToHalves(MINIMUM),
  POOL,
  0n,
  0n,
];

export function approveCall(
  calldata: readonly bigint[] = APPROVE,
  changes: Partial<BuiltCall> = {},
): BuiltCall {
  return { to: toFelt(SOLD), entrypoint: 'approve', calldata: Felts.of(calldata), ...changes };
}

export function swapCall(
  calldata: readonly bigint[] = [...HEAD, ...ROUTES],
  changes: Partial<BuiltCall> = {},
): BuiltCall {
  return {
    to: toFelt(ROUTER),
    entrypoint: 'multi_route_swap',
    calldata: Felts.of(calldata),
    ...changes,
  };
}

export function swapWithRoutes(routes: readonly bigint[]): readonly BuiltCall[] {
  return [approveCall(), swapCall([...HEAD, ...routes])];
}
