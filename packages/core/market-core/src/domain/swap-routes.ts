import type { Felt, Felts } from '@sotto/kernel';
import { rejectSwapBuild as reject } from './swap-build-rejection.js';

/** One leg of a swap, in the router's format. */
export interface SwapRoute {
  readonly sellToken: Felt;
  readonly buyToken: Felt;
  /**
   * Form of the leg. A `branch` leg contains several exchanges from which the router chooses during
   * the swap. Older routers can't parse a branch leg.
   */
  readonly form: 'direct' | 'branch';
}

/**
 * Cairo short string `branch`. In a branch leg, this marker is in the position that the exchange
 * has in a direct leg.
 */
const BRANCH_MARKER = BigInt(`0x${Buffer.from('branch').toString('hex')}`);
/**
 * Value that represents 100 % of the router's balance of the sold token at the start of the leg.
 */
const WHOLE = 10n ** 12n;

/**
 * Parses `Array<Route>` from calldata, preceded by its length. A leg is either direct (`exchange,
 * percent, params`) or a branch: the marker, a principal, and an array of alternatives in the
 * layout of direct legs.
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
   * Parses an array. Each element has at least one felt, so a length above the number of remaining
   * felts is rejected before any element is parsed.
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
