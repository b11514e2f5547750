import { rateOf, setRate, type Rate } from '../contracts/exchange.js';
import { usdPairOf } from '../contracts/market.js';
import { oraclePriceOf } from '../contracts/price-oracle.js';
import type { ContractStorage } from '../contracts/storage.js';
import { sandboxWorld, type SandboxToken } from '../contracts/world.js';
import type { Chain } from '../engine/chain.js';
import { balanceOf } from '../engine/fee.js';
import type { Pair, TradingFloor } from './trading-floor.js';

/**
 * Exchanges on the sandbox's chain, read at the pre-confirmed state. A swap pays the quoted amount
 * unless a rate changes after the quote.
 */
export class ChainFloor implements TradingFloor {
  readonly tokens = sandboxWorld.tokens;
  readonly router = sandboxWorld.router;
  readonly exchanges = sandboxWorld.exchanges;
  readonly chainId: bigint;

  constructor(private readonly chain: Chain) {
    this.chainId = chain.chainId;
  }

  get blockNumber(): number {
    return this.chain.latest.number;
  }

  nowMs(): number {
    return this.chain.clock.nowMs();
  }

  rateAt(exchange: bigint, { sellToken, buyToken }: Pair): Rate | undefined {
    return rateOf(this.#storage(exchange), sellToken, buyToken);
  }

  /**
   * Sets the rate in the exchange's storage, for the states after all blocks, including past
   * blocks.
   */
  setRate(exchange: bigint, { sellToken, buyToken }: Pair, rate: Rate): void {
    setRate(this.#storage(exchange), sellToken, buyToken, rate);
  }

  reserveOf(exchange: bigint, token: bigint): bigint {
    return balanceOf(this.chain.open.state, token, exchange);
  }

  oracleUsd(token: SandboxToken): number | undefined {
    return oraclePriceOf(this.#storage(sandboxWorld.oracle), usdPairOf(token));
  }

  #storage(address: bigint): ContractStorage {
    return {
      get: (key) => this.chain.open.state.storage(address, key),
      set: (key, value) => {
        this.chain.setStorage(address, key, value);
      },
    };
  }
}
