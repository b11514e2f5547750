import { amountOut, type Rate } from '../contracts/exchange.js';
import { WHOLE, type DirectSwap, type Route } from '../contracts/route.js';
import type { SandboxExchange } from '../contracts/world.js';
import { tokenAt, type Pair, type TradingFloor } from './trading-floor.js';

/**
 * Routing of swaps. `direct`: one exchange. `split`: 60 % at the first, the rest at the second.
 * `branch`: the first, with the second as the alternative.
 */
export type RouteForm = 'direct' | 'split' | 'branch';

/** One exchange's share of a swap. */
interface Share {
  readonly exchange: SandboxExchange;
  /** Share of the whole amount; 1 is all of it. */
  readonly fraction: number;
  readonly alternatives: number;
}

/** A possible swap and its output at the chain's current state. */
export interface Offer {
  readonly buyAmount: bigint;
  readonly routes: readonly Route[];
  readonly shares: readonly Share[];
}

const BPS = 10_000n;
/** First exchange's share of a split swap, in the router's unit. */
const SPLIT = (WHOLE * 6n) / 10n;

/** The exchanges as seen by the aggregator and controlled by a test. */
export class Market {
  constructor(private readonly floor: TradingFloor) {}

  /** Returns the offers, best first; none if the market is closed or the reserves are too small. */
  offers(pair: Pair, sellAmount: bigint, form: RouteForm): Offer[] {
    const offers = this.#candidates(pair, sellAmount, form).filter(
      ({ buyAmount }) => buyAmount > 0n,
    );
    return offers.toSorted((left, right) => (left.buyAmount < right.buyAmount ? 1 : -1));
  }

  /**
   * Sets the rate of a pair at every exchange.
   * @throws RangeError for an unknown token, and as {@link TradingFloor.setRate}
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
   * Changes the buy amount by `byBps` basis points; a negative value makes the buy token more
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
            // On chain, the percentage of a step applies to the remainder of the previous steps.
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
            // At equal rates, the more expensive exchange is never the better alternative.
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
