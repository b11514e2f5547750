import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { Arguments, modelClassHash, u256Felts } from './calldata.js';
import type { ContractStorage } from './storage.js';

export interface ExchangeOptions {
  /** Fee that the exchange deducts from every payment, in 1/10,000. */
  readonly feeBps: bigint;
}

/** Exchange rate: two amounts of equal value, each in its token's smallest unit. */
export interface Rate {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** Storage access that is needed to compute a quote. */
type RateReader = Pick<ContractStorage, 'get'>;

const BPS = 10_000n;
const SWAP_L2_GAS = 500_000n;
/**
 * Storage key of additional L2 gas that each swap at the exchange uses. A test raises this value to
 * make a route more expensive after its quote.
 */
const EXTRA_L2_GAS = 'extra_l2_gas';

/**
 * Sets the rate of one direction of a pair. No transaction can do this. A buy amount of zero closes
 * the market.
 * @throws RangeError if the sell amount is not positive or the buy amount is negative
 */
export function setRate(
  storage: ContractStorage,
  sellToken: bigint,
  buyToken: bigint,
  { sellAmount, buyAmount }: Rate,
): void {
  if (sellAmount <= 0n || buyAmount < 0n)
    throw new RangeError('a rate needs a positive sell amount and no negative buy amount');
  const keys = rateKeys(sellToken, buyToken);
  storage.set(keys.sellAmount, sellAmount);
  storage.set(keys.buyAmount, buyAmount);
}

/** Returns the rate of a pair; undefined if its market is closed. */
export function rateOf(storage: RateReader, sellToken: bigint, buyToken: bigint): Rate | undefined {
  const keys = rateKeys(sellToken, buyToken);
  const rate = { sellAmount: storage.get(keys.sellAmount), buyAmount: storage.get(keys.buyAmount) };
  return rate.sellAmount === 0n || rate.buyAmount === 0n ? undefined : rate;
}

/**
 * Returns the amount that the exchange pays for `sellAmount` at a rate, after its fee, rounded
 * down.
 */
export function amountOut(
  { sellAmount, buyAmount }: Rate,
  amount: bigint,
  { feeBps }: ExchangeOptions,
): bigint {
  return (amount * buyAmount * (BPS - feeBps)) / (sellAmount * BPS);
}

/**
 * Exchange that pays from its token balance, at fixed rates for any amount. The parameters of
 * `quote` and `swap` are sell token, buy token and amount. `swap` pulls the sell tokens from its
 * caller and pays the caller. Both revert with `No liquidity` if the market is closed. This model
 * represents all exchanges that the real router reaches through adapters.
 */
export function exchange(options: ExchangeOptions): ContractModel {
  return {
    name: 'Exchange',
    classHash: modelClassHash('Exchange'),
    entrypoints: {
      quote: (context, calldata) => u256Felts(readOrder(context, calldata, options).bought),
      swap: swapAt(options),
    },
  };
}

function swapAt(options: ExchangeOptions): Entrypoint {
  return (context, calldata) => {
    const { sellToken, buyToken, sold, bought } = readOrder(context, calldata, options);
    context.useL2Gas(SWAP_L2_GAS + context.get(EXTRA_L2_GAS));
    context.call(sellToken, 'transferFrom', [context.caller, context.self, ...u256Felts(sold)]);
    context.call(buyToken, 'transfer', [context.caller, ...u256Felts(bought)]);
    return u256Felts(bought);
  };
}

interface Order {
  readonly sellToken: bigint;
  readonly buyToken: bigint;
  readonly sold: bigint;
  readonly bought: bigint;
}

function readOrder(
  context: CallContext,
  calldata: readonly bigint[],
  options: ExchangeOptions,
): Order {
  const args = new Arguments(calldata);
  const sellToken = args.address();
  const buyToken = args.address();
  const sold = args.u256();
  args.end();
  const rate = rateOf(context, sellToken, buyToken);
  if (rate === undefined) throw new Revert('No liquidity');
  return { sellToken, buyToken, sold, bought: amountOut(rate, sold, options) };
}

function rateKeys(sellToken: bigint, buyToken: bigint): Record<'sellAmount' | 'buyAmount', string> {
  const pair = `${sellToken.toString(16)}:${buyToken.toString(16)}`;
  return { sellAmount: `rate_sell:${pair}`, buyAmount: `rate_buy:${pair}` };
}
