import type { Rate } from '../contracts/exchange.js';
import type { SandboxExchange, SandboxToken } from '../contracts/world.js';

/** Two tokens, in the direction of a swap. */
export interface Pair {
  readonly sellToken: bigint;
  readonly buyToken: bigint;
}

/** Tokens and contracts that an aggregator uses, on any chain. */
export interface TradedWorld {
  readonly tokens: Readonly<Record<'STRK' | 'WBTC' | 'USDC' | 'ETH', SandboxToken>>;
  readonly router: bigint;
  /** Known exchanges; the second is more expensive. */
  readonly exchanges: Readonly<Record<'first' | 'second', SandboxExchange>>;
}

/** Chain and exchanges that an aggregator trades on: addresses, rates, reserves and prices. */
export interface TradingFloor extends TradedWorld {
  readonly chainId: bigint;
  readonly blockNumber: number;
  /** Current time in milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Returns the rate; undefined if the market is closed. */
  rateAt(exchange: bigint, pair: Pair): Rate | undefined;
  /**
   * Sets the rate. @throws RangeError if the sell amount is not positive or the buy amount negative
   */
  setRate(exchange: bigint, pair: Pair, rate: Rate): void;
  /** Returns an exchange's balance of a token, in its smallest unit. */
  reserveOf(exchange: bigint, token: bigint): bigint;
  /** Returns a token's price in USD; undefined if it has none. */
  oracleUsd(token: SandboxToken): number | undefined;
}

/** Returns the token at an address; undefined if no exchange trades it. */
export function tokenAt(
  { tokens }: Pick<TradedWorld, 'tokens'>,
  address: bigint,
): SandboxToken | undefined {
  return Object.values(tokens).find((token) => token.address === address);
}
