import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { Arguments, modelClassHash, u256Felts } from './calldata.js';
import type { ContractStorage } from './storage.js';

export interface ExchangeOptions {
  /** What the exchange keeps of every amount it pays, in 1/10,000. */
  readonly feeBps: bigint;
}

/** So many sell units for so many buy units, in both tokens' smallest units. */
export interface Rate {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** What a quote needs to know of the exchange's storage. */
type RateReader = Pick<ContractStorage, 'get'>;

const BPS = 10_000n;
const SWAP_L2_GAS = 500_000n;
/**
 * Storage key of the L2 gas that each swap of the exchange uses in addition. A test raises it to
 * make a route dearer after it was quoted.
 */
const EXTRA_L2_GAS = 'extra_l2_gas';

/**
 * Sets what a sell token is worth in a buy token; a transaction cannot. It says nothing about the
 * other direction. A buy amount of zero closes the market.
 * @throws RangeError when the sell amount is not positive or the buy amount negative
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

/** The rate of a pair, undefined when its market is closed. */
export function rateOf(storage: RateReader, sellToken: bigint, buyToken: bigint): Rate | undefined {
  const keys = rateKeys(sellToken, buyToken);
  const rate = { sellAmount: storage.get(keys.sellAmount), buyAmount: storage.get(keys.buyAmount) };
  return rate.sellAmount === 0n || rate.buyAmount === 0n ? undefined : rate;
}

/** What the exchange pays for an amount at a rate, rounded down. */
export function amountOut(
  { sellAmount, buyAmount }: Rate,
  amount: bigint,
  { feeBps }: ExchangeOptions,
): bigint {
  return (amount * buyAmount * (BPS - feeBps)) / (sellAmount * BPS);
}

/**
 * An exchange that pays from what it holds, at fixed rates whatever the amount. `quote` and `swap`
 * take sell token, buy token and amount; `swap` pulls the sell tokens from its caller and pays the
 * caller. Reverts `No liquidity` for a closed market. It stands for the exchanges that the real
 * router reaches through adapters, each in a way of its own.
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
