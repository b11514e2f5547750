import { rateOf, setRate, type Rate } from '../contracts/exchange.js';
import { DEFAULT_PRICES } from '../contracts/prices.js';
import { ratesBetween, usdPairOf } from '../contracts/market.js';
import { recordStorage, type ContractStorage } from '../contracts/storage.js';
import type { SandboxToken } from '../contracts/world.js';
import type { Pair, TradedWorld, TradingFloor } from './trading-floor.js';

/** Chain, addresses and clock of a {@link FixedFloor}. */
export interface FixedFloorOptions extends TradedWorld {
  /** Felt that encodes the chain's name. */
  readonly chainId: bigint;
  /** Function that returns the time in milliseconds. @default the machine's clock */
  readonly nowMs?: (() => number) | undefined;
}

/** Reserve of every exchange. The floor reads no chain, so no swap may exceed this reserve. */
const PLENTY = 2n ** 127n;

/**
 * Exchanges on a chain other than the sandbox's chain. The initial rates are computed from the
 * sandbox's prices. The deployer of the exchanges must configure the same rates on chain.
 */
export class FixedFloor implements TradingFloor {
  readonly tokens: TradedWorld['tokens'];
  readonly router: bigint;
  readonly exchanges: TradedWorld['exchanges'];
  readonly chainId: bigint;
  /** Block number that every quote contains. No code uses this number otherwise. */
  readonly blockNumber = 0;
  readonly nowMs: () => number;
  readonly #rates = new Map<bigint, ContractStorage>();

  constructor({ tokens, router, exchanges, chainId, nowMs = Date.now }: FixedFloorOptions) {
    this.tokens = tokens;
    this.router = router;
    this.exchanges = exchanges;
    this.chainId = chainId;
    this.nowMs = nowMs;
    for (const { address } of Object.values(exchanges)) {
      this.#rates.set(address, recordStorage(ratesBetween(Object.values(tokens), DEFAULT_PRICES)));
    }
  }

  rateAt(exchange: bigint, { sellToken, buyToken }: Pair): Rate | undefined {
    const rates = this.#rates.get(exchange);
    return rates === undefined ? undefined : rateOf(rates, sellToken, buyToken);
  }

  setRate(exchange: bigint, { sellToken, buyToken }: Pair, rate: Rate): void {
    const rates = this.#rates.get(exchange);
    if (rates === undefined) throw new RangeError('there is no such exchange');
    setRate(rates, sellToken, buyToken, rate);
  }

  reserveOf(): bigint {
    return PLENTY;
  }

  oracleUsd(token: SandboxToken): number | undefined {
    const price = DEFAULT_PRICES[usdPairOf(token)];
    return price === undefined ? undefined : Number(price.price) / 10 ** price.decimals;
  }
}
