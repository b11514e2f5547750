import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { selectorOf } from '../engine/felt.js';
import { Arguments, boolFelt, modelClassHash, u256Felts } from './calldata.js';
import { view } from './pool-parts.js';
import { readRoutes } from './route.js';
import type { ContractStorage } from './storage.js';
import { swapAtRouter } from './swap.js';

export interface PurchaseKeeperOptions {
  /** Account that may set the Mayer Multiple. */
  readonly owner: bigint;
  /** ERC-20 token that all purchase orders buy. */
  readonly wbtc: bigint;
  readonly router: bigint;
}

/** Storage keys that genesis and the control interface may set. */
export const PURCHASE_STORAGE = {
  /** Mayer Multiple, where 1e18 is a multiple of one, and zero is unset. */
  mayerMultiple: 'mayer_multiple',
} as const;

const ORDER_COUNT = 'order_count';
const MIN_FREQUENCY_SECONDS = 3_600n;
const MAX_ORDERS = 365;
/** Divisor of the keeper's fee: the keeper earns the bought amount divided by this number. */
const FEE_DIVISOR = 1_000n;
const U64_BOUND = 2n ** 64n;
const E18 = 10n ** 18n;
const ORDER_L2_GAS = 1_500_000n;
const READ_L2_GAS = 200_000n;

/** Stored fields of a purchase order, in the sequence of the Cairo struct. */
const FIELDS = [
  'owner',
  'sellToken',
  'sellAmountPer',
  'frequency',
  'totalOrders',
  'executed',
  'lastExecution',
  'remaining',
  'smart',
  'active',
] as const;
type Field = (typeof FIELDS)[number];
type Order = Record<Field, bigint>;

/**
 * Contract for recurring purchases of WBTC. When a purchase order is created, its owner pays the
 * whole deposit. Any account may execute a due purchase order and earns a thousandth of the bought
 * amount.
 */
export function purchaseKeeper(options: PurchaseKeeperOptions): ContractModel {
  return {
    name: 'PurchaseKeeper',
    classHash: modelClassHash('PurchaseKeeper'),
    entrypoints: {
      create_order: createOrder(options),
      cancel_order: cancelOrder,
      execute_order: executeOrder(options),
      /** Returns a purchase order. All fields are zero if no order has this id. */
      get_order: (context, calldata) => {
        const id = readId(calldata);
        context.useL2Gas(READ_L2_GAS);
        const { sellAmountPer, remaining, ...order } = readOrder(context, id);
        return [
          order.owner,
          order.sellToken,
          ...u256Felts(sellAmountPer),
          order.frequency,
          order.totalOrders,
          order.executed,
          order.lastExecution,
          ...u256Felts(remaining),
          order.smart,
          order.active,
        ];
      },
      order_count: view((context) => [context.get(ORDER_COUNT)]),
      get_mayer_multiple: view((context) => u256Felts(context.get(PURCHASE_STORAGE.mayerMultiple))),
      set_mayer_multiple: (context, calldata) => {
        const args = new Arguments(calldata);
        const multiple = args.u256();
        args.end();
        if (context.caller !== options.owner) throw new Revert('Not owner');
        context.set(PURCHASE_STORAGE.mayerMultiple, multiple);
        return [];
      },
    },
  };
}

function createOrder({ wbtc }: PurchaseKeeperOptions): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const sellToken = args.address();
    const sellAmountPer = args.u256();
    const frequency = readU64(args, 3);
    const totalOrders = args.u32();
    const smart = readBool(args, 5);
    args.end();
    context.useL2Gas(ORDER_L2_GAS);
    if (sellToken === wbtc) throw new Revert('Invalid sell token');
    if (sellAmountPer === 0n) throw new Revert('Zero amount');
    if (frequency < MIN_FREQUENCY_SECONDS) throw new Revert('Frequency too short');
    if (totalOrders === 0 || totalOrders > MAX_ORDERS) throw new Revert('Invalid number of orders');
    const plain = sellAmountPer * BigInt(totalOrders);
    const deposit = smart ? plain + plain / 2n : plain;
    const id = context.get(ORDER_COUNT) + 1n;
    const terms = [
      context.caller,
      sellToken,
      ...u256Felts(sellAmountPer),
      frequency,
      BigInt(totalOrders),
      boolFelt(smart),
    ];
    context.set(ORDER_COUNT, id);
    writeOrder(context, id, {
      owner: context.caller,
      sellToken,
      sellAmountPer,
      frequency,
      totalOrders: BigInt(totalOrders),
      executed: 0n,
      lastExecution: 0n,
      remaining: deposit,
      smart: boolFelt(smart),
      active: 1n,
    });
    context.call(sellToken, 'transferFrom', [context.caller, context.self, ...u256Felts(deposit)]);
    context.emit([selectorOf('OrderCreated'), id], terms);
    return [id];
  };
}

const cancelOrder: Entrypoint = (context, calldata) => {
  const id = readId(calldata);
  context.useL2Gas(ORDER_L2_GAS);
  const order = readOrder(context, id);
  if (order.active === 0n) throw new Revert('Order not active');
  if (context.caller !== order.owner) throw new Revert('Not owner');
  writeOrder(context, id, { ...order, remaining: 0n, active: 0n });
  pay(context, order.sellToken, order.owner, order.remaining);
  context.emit([selectorOf('OrderCancelled'), id], u256Felts(order.remaining));
  return [];
};

/**
 * Creates the entry point that executes a purchase. The minimum applies to the swap's output
 * including the keeper's fee.
 */
function executeOrder({ wbtc, router }: PurchaseKeeperOptions): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const id = readU64(args, 1);
    const minimumOut = args.u256();
    const routes = readRoutes(args, true);
    args.end();
    context.useL2Gas(ORDER_L2_GAS);
    const { order, amount, refund } = begin(context, id);
    const { sellToken, owner } = order;
    const swap = { router, sellToken, amount, buyToken: wbtc, minimumOut, routes };
    const bought = swapAtRouter(context, swap);
    if (bought === 0n) throw new Revert('No WBTC received');
    if (bought < minimumOut) throw new Revert('Insufficient WBTC received');
    const fee = bought / FEE_DIVISOR;
    pay(context, wbtc, context.caller, fee);
    pay(context, wbtc, owner, bought - fee);
    context.emit(
      [selectorOf('OrderExecuted'), id],
      [
        context.caller,
        order.executed,
        ...u256Felts(amount),
        ...u256Felts(bought - fee),
        ...u256Felts(fee),
      ],
    );
    pay(context, sellToken, owner, refund);
    return [];
  };
}

/**
 * Starts the next purchase of a purchase order. Returns the updated order, the amount to sell, and
 * the amount to refund to the order's owner.
 */
function begin(
  context: CallContext,
  id: bigint,
): { readonly order: Order; readonly amount: bigint; readonly refund: bigint } {
  const order = readOrder(context, id);
  const now = BigInt(context.block.timestampSeconds);
  if (order.active === 0n) throw new Revert('Order not active');
  if (now < order.lastExecution + order.frequency) throw new Revert('Order not due');
  const quarters =
    order.smart === 0n ? 4n : quartersAt(context.get(PURCHASE_STORAGE.mayerMultiple));
  const wanted = (order.sellAmountPer * quarters) / 4n;
  const amount = wanted < order.remaining ? wanted : order.remaining;
  const executed = order.executed + 1n;
  const left = order.remaining - amount;
  const isOpen = executed < order.totalOrders && left !== 0n;
  const after = {
    ...order,
    executed,
    lastExecution: now,
    remaining: isOpen ? left : 0n,
    active: boolFelt(isOpen),
  };
  writeOrder(context, id, after);
  return { order: after, amount, refund: isOpen ? 0n : left };
}

/**
 * Returns the amount that a smart purchase order sells at a Mayer Multiple, in quarters of the
 * order's regular amount.
 */
function quartersAt(multipleE18: bigint): bigint {
  if (multipleE18 === 0n) throw new Revert('No Mayer Multiple');
  if (multipleE18 < (E18 * 8n) / 10n) return 6n;
  if (multipleE18 < E18) return 5n;
  if (multipleE18 < (E18 * 15n) / 10n) return 4n;
  return multipleE18 <= 2n * E18 ? 3n : 2n;
}

function readId(calldata: readonly bigint[]): bigint {
  const args = new Arguments(calldata);
  const id = readU64(args, 1);
  args.end();
  return id;
}

function readU64(args: Arguments, parameter: number): bigint {
  const value = args.felt();
  if (value >= U64_BOUND) throw new Revert(`Failed to deserialize param #${parameter}`);
  return value;
}

function readBool(args: Arguments, parameter: number): boolean {
  const value = args.felt();
  if (value > 1n) throw new Revert(`Failed to deserialize param #${parameter}`);
  return value === 1n;
}

function readOrder(storage: Pick<ContractStorage, 'get'>, id: bigint): Order {
  const field = (name: Field): bigint => storage.get(`order:${id}:${name}`);
  return {
    owner: field('owner'),
    sellToken: field('sellToken'),
    sellAmountPer: field('sellAmountPer'),
    frequency: field('frequency'),
    totalOrders: field('totalOrders'),
    executed: field('executed'),
    lastExecution: field('lastExecution'),
    remaining: field('remaining'),
    smart: field('smart'),
    active: field('active'),
  };
}

function writeOrder(storage: Pick<ContractStorage, 'set'>, id: bigint, order: Order): void {
  for (const name of FIELDS) storage.set(`order:${id}:${name}`, order[name]);
}

function pay(context: CallContext, token: bigint, to: bigint, amount: bigint): void {
  if (amount > 0n) context.call(token, 'transfer', [to, ...u256Felts(amount)]);
}
