import type { Rate } from '../contracts/exchange.js';
import type { SandboxExchange, SandboxToken } from '../contracts/world.js';

/** Pair of ERC-20 tokens, in the direction of a swap. */
export interface Pair {
  readonly sellToken: bigint;
  readonly buyToken: bigint;
}

/** Tokens and contracts on any chain that an aggregator uses. */
export interface TradedWorld {
  readonly tokens: Readonly<Record<'STRK' | 'WBTC' | 'USDC' | 'ETH', SandboxToken>>;
  readonly router: bigint;
  /** Exchanges that the aggregator knows. The second exchange is more expensive. */
  readonly exchanges: Readonly<Record<'first' | 'second', SandboxExchange>>;
}

/** Chain and exchanges on which an aggregator trades: addresses, rates, reserves and prices. */
export interface TradingFloor extends TradedWorld {
  readonly chainId: bigint;
  readonly blockNumber: number;
  /** Returns the current time in milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Returns the rate of a pair at an exchange; undefined if the market is closed. */
  rateAt(exchange: bigint, pair: Pair): Rate | undefined;
  /**
   * Sets the rate of a pair at an exchange. @throws RangeError if the sell amount is not positive
   * or the buy amount is negative
   */
  setRate(exchange: bigint, pair: Pair, rate: Rate): void;
  /** Returns an exchange's balance of a token, in the token's smallest unit. */
  reserveOf(exchange: bigint, token: bigint): bigint;
  /** Returns the oracle's price of a token in USD; undefined if the oracle has no price. */
  oracleUsd(token: SandboxToken): number | undefined;
}

/** Returns the token at an address; undefined if no exchange trades it. */
export function tokenAt(
  { tokens }: Pick<TradedWorld, 'tokens'>,
  address: bigint,
): SandboxToken | undefined {
  return Object.values(tokens).find((token) => token.address === address);
}
