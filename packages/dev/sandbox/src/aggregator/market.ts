import { amountOut, type Rate } from '../contracts/exchange.js';
import { WHOLE, type DirectSwap, type Route } from '../contracts/route.js';
import type { SandboxExchange } from '../contracts/world.js';
import { tokenAt, type Pair, type TradingFloor } from './trading-floor.js';

/**
 * Routing of swaps:
 * - `direct` uses one exchange.
 * - `split` sells 60 % at the first exchange and the rest at the second.
 * - `branch` uses the first exchange, with the second as the alternative.
 */
export type RouteForm = 'direct' | 'split' | 'branch';

/** One exchange's share of a swap. */
interface Share {
  readonly exchange: SandboxExchange;
  /** Fraction of the whole amount, where 1 is the whole amount. */
  readonly fraction: number;
  readonly alternatives: number;
}

/** Possible swap, and its output at the chain's current state. */
export interface Offer {
  readonly buyAmount: bigint;
  readonly routes: readonly Route[];
  readonly shares: readonly Share[];
}

const BPS = 10_000n;
/** First exchange's part of a split swap, in the router's unit (10^12 is 100 %). */
const SPLIT = (WHOLE * 6n) / 10n;

/**
 * Market that the two exchanges form. A test sets its rates, and the aggregator reads its offers.
 */
export class Market {
  constructor(private readonly floor: TradingFloor) {}

  /**
   * Returns the offers, best first. Returns an empty list if the market is closed or no exchange
   * has enough reserves.
   */
  offers(pair: Pair, sellAmount: bigint, form: RouteForm): Offer[] {
    const offers = this.#candidates(pair, sellAmount, form).filter(
      ({ buyAmount }) => buyAmount > 0n,
    );
    return offers.toSorted((left, right) => (left.buyAmount < right.buyAmount ? 1 : -1));
  }

  /**
   * Sets the rate of a pair at every exchange.
   * @throws RangeError if a token is unknown, and as {@link TradingFloor.setRate}
   */
  setRate(pair: Pair, rate: Rate): void {
    const { floor } = this;
    if (
      tokenAt(floor, pair.sellToken) === undefined ||
      tokenAt(floor, pair.buyToken) === undefined
    ) {
      throw new RangeError('no exchange trades this token');
    }
    for (const { address } of Object.values(floor.exchanges)) floor.setRate(address, pair, rate);
  }

  /**
   * Changes the buy amount by `byBps` basis points. A negative value makes the buy token more
   * expensive.
   * @throws RangeError if the market is closed or the price would fall below zero
   */
  moveRate(pair: Pair, byBps: number): void {
    const rate = this.floor.rateAt(this.floor.exchanges.first.address, pair);
    if (rate === undefined) throw new RangeError('this market is closed');
    this.setRate(pair, {
      sellAmount: rate.sellAmount * BPS,
      buyAmount: rate.buyAmount * (BPS + BigInt(byBps)),
    });
  }

  #candidates(pair: Pair, amount: bigint, form: RouteForm): Offer[] {
    const { first, second } = this.floor.exchanges;
    const at = (exchange: SandboxExchange, part: bigint): bigint => this.#out(exchange, pair, part);
    const routes = (...swaps: readonly Route['swap'][]): Route[] =>
      swaps.map((swap) => ({ ...pair, swap }));
    switch (form) {
      case 'direct':
        return [first, second].map((exchange) => ({
          buyAmount: at(exchange, amount),
          routes: routes(swapAt(exchange, WHOLE)),
          shares: [{ exchange, fraction: 1, alternatives: 0 }],
        }));
      case 'split': {
        const part = (amount * SPLIT) / WHOLE;
        return [
          {
            buyAmount: at(first, part) + at(second, amount - part),
            // On chain, the percentage of a step applies to the balance that the previous steps
            // left. So the second step sells 100 % of the remaining balance.
            routes: routes(swapAt(first, SPLIT), swapAt(second, WHOLE)),
            shares: [
              { exchange: first, fraction: 0.6, alternatives: 0 },
              { exchange: second, fraction: 0.4, alternatives: 0 },
            ],
          },
        ];
      }
      case 'branch': {
        return [
          {
            // Both exchanges have the same rates, so the more expensive alternative is never used.
            buyAmount: at(first, amount),
            routes: routes({
              principal: swapAt(first, WHOLE),
              alternatives: [swapAt(second, WHOLE / 5n)],
            }),
            shares: [{ exchange: first, fraction: 1, alternatives: 1 }],
          },
        ];
      }
    }
  }

  #out(exchange: SandboxExchange, pair: Pair, amount: bigint): bigint {
    const rate = this.floor.rateAt(exchange.address, pair);
    const out = rate === undefined ? 0n : amountOut(rate, amount, exchange);
    return out <= this.floor.reserveOf(exchange.address, pair.buyToken) ? out : 0n;
  }
}

function swapAt({ address }: SandboxExchange, percent: bigint): DirectSwap {
  return { exchange: address, percent, params: [] };
}
