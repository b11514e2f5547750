import type { Felt, Felts } from '@sotto/kernel';
import { rejectSwapBuild as reject } from './swap-build-rejection.js';

/** One leg of a swap, in the router's format. */
export interface SwapRoute {
  readonly sellToken: Felt;
  readonly buyToken: Felt;
  /**
   * `branch`: exchanges that the router chooses from during the swap. Routers of the older form
   * can't read it.
   */
  readonly form: 'direct' | 'branch';
}

/** Cairo short string `branch`: replaces the exchange of a direct swap. */
const BRANCH_MARKER = BigInt(`0x${Buffer.from('branch').toString('hex')}`);
/** 100 % of the router's balance of the token at the start of the leg. */
const WHOLE = 10n ** 12n;

/**
 * Parses `Array<Route>` from calldata, count first. Legs are either direct, `exchange, percent,
 * params`, or the marker followed by a principal and an array of alternatives with the layout of
 * direct ones.
 * @throws SwapBuildRejected unless all felts match. `routes`: another layout, an incomplete leg or
 *   leftover felts. `route_percent`: a share of 0 or more than 100 %.
 */
export function readRoutes(felts: Felts): readonly SwapRoute[] {
  const reader = new RouteReader(felts);
  const routes = reader.array(() => reader.route());
  reader.end();
  return routes;
}

class RouteReader {
  #position = 0;

  constructor(private readonly felts: Felts) {}

  route(): SwapRoute {
    const sellToken = this.#felt();
    const buyToken = this.#felt();
    if (this.#peek() !== BRANCH_MARKER) {
      this.#exchange();
      return { sellToken, buyToken, form: 'direct' };
    }
    this.#next();
    this.#exchange();
    this.array(() => this.#exchange());
    return { sellToken, buyToken, form: 'branch' };
  }

  /**
   * Reads an array. Each element has at least one felt, so a count beyond the remaining felts is
   * rejected before anything is read.
   */
  array<T>(element: () => T): readonly T[] {
    return Array.from({ length: this.#count() }, element);
  }

  end(): void {
    if (this.#left() !== 0) reject('routes');
  }

  #exchange(): void {
    if (this.#next() === 0n) reject('routes');
    const percent = this.#next();
    if (percent === 0n || percent > WHOLE) reject('route_percent');
    const params = this.#count();
    this.#position += params;
  }

  #count(): number {
    const count = this.#next();
    if (count > BigInt(this.#left())) reject('routes');
    return Number(count);
  }

  #felt(): Felt {
    this.#require();
    return this.felts.feltAt(this.#position++);
  }

  #next(): bigint {
    const value = this.#peek();
    this.#position += 1;
    return value;
  }

  #peek(): bigint {
    this.#require();
    return this.felts.at(this.#position);
  }

  #require(): void {
    if (this.#left() === 0) reject('routes');
  }

  #left(): number {
    return this.felts.length - this.#position;
  }
}
