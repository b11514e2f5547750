import type { Rate } from '../contracts/exchange.js';
import type { SandboxExchange, SandboxToken } from '../contracts/world.js';

/** Two tokens, in the direction of a swap. */
export interface Pair {
  readonly sellToken: bigint;
  readonly buyToken: bigint;
}

/** What an aggregator names and builds with, on whichever chain. */
export interface TradedWorld {
  readonly tokens: Readonly<Record<'STRK' | 'WBTC' | 'USDC' | 'ETH', SandboxToken>>;
  readonly router: bigint;
  /** The second is the dearer one. */
  readonly exchanges: Readonly<Record<'first' | 'second', SandboxExchange>>;
}

/**
 * Where an aggregator trades: what it has to know of a chain and of what the exchanges there ask.
 */
export interface TradingFloor extends TradedWorld {
  readonly chainId: bigint;
  readonly blockNumber: number;
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Undefined when the market is closed. */
  rateAt(exchange: bigint, pair: Pair): Rate | undefined;
  /** @throws RangeError when the sell amount is not positive or the buy amount negative */
  setRate(exchange: bigint, pair: Pair, rate: Rate): void;
  /** What an exchange holds of a token, in its smallest unit. */
  reserveOf(exchange: bigint, token: bigint): bigint;
  /** A token's price in USD, undefined without one. */
  oracleUsd(token: SandboxToken): number | undefined;
}

/** The token at an address, undefined for one that no exchange trades. */
export function tokenAt(
  { tokens }: Pick<TradedWorld, 'tokens'>,
  address: bigint,
): SandboxToken | undefined {
  return Object.values(tokens).find((token) => token.address === address);
}
