import { UNNAMED_CALLER, type Caller } from './caller.js';

export interface ShareLimits {
  /** Maximum number of shares that all callers together hold at a time. */
  readonly inAll: number;
  /** Maximum number of shares that one caller holds at a time. */
  readonly perClient: number;
}

/** Caller that represents all callers of the shared listener together. */
export const SHARED_CALLER: Caller = { name: 'shared', networks: [] };

/**
 * Factor by which the limit of a network exceeds the limit of the next narrower network. Networks
 * of IPv4 are /24; networks of IPv6 are /56 and then /48.
 */
const WIDER = 4;
/**
 * Factor by which the limit of the shared listener exceeds the limit of an address; equal to the
 * factor of a /48.
 */
const SHARED = WIDER * WIDER;

/**
 * Returns the limit of a caller, computed from the limit of one address. The shared listener has a
 * higher limit, because it represents many callers.
 */
export const mostOf = ({ name }: Caller, perClient: number): number =>
  name === SHARED_CALLER.name ? perClient * SHARED : perClient;

/**
 * Returns the limit of one of a caller's networks. `index` is the network's position in {@link
 * Caller.networks}.
 */
export const mostOfNetwork = (index: number, perClient: number): number =>
  perClient * WIDER ** (index + 1);

/**
 * Denominator of the share of one network. A network may have a quarter of a shared capacity, or of
 * an amount per hour.
 */
const PARTS = 4;

/**
 * Returns a quarter of a capacity or of an amount per hour, rounded up. The result is 0 only for 0.
 */
export function quarterOf(amount: number): number;
export function quarterOf(amount: bigint): bigint;
export function quarterOf(amount: number | bigint): number | bigint {
  return typeof amount === 'bigint'
    ? (amount + BigInt(PARTS) - 1n) / BigInt(PARTS)
    : Math.ceil(amount / PARTS);
}

/**
 * Returns the widest network of a caller (/24 or /48), or the caller's name if no network is known.
 * An attacker can cheaply rent many addresses inside one network, but a second network is
 * expensive.
 */
export const widestOf = ({ name, networks }: Caller): string => networks.at(-1) ?? name;

/**
 * Counts shares in use, in total and by caller.
 *
 * A network never holds more than half of the total, even if the limit of one caller is higher. The
 * other limits of networks apply only while more than half of the total is in use. While this is
 * the case, a network gets at most a quarter if other networks hold shares or wait for a share. The
 * last share is reserved for the waiting network with the fewest shares. {@link UNNAMED_CALLER} is
 * not treated as a network.
 */
export class Shares {
  readonly #byCaller = new Map<string, number>();
  readonly #byNetwork = new Map<string, number>();
  readonly #byWidest = new Map<string, number>();
  #held = 0;
  /**
   * Widest network that waits for a share: it was rejected while it held less than its quarter. If
   * several networks wait, one with the fewest shares. Null if no network waits.
   */
  #waiting: string | null = null;

  constructor(private readonly limits: ShareLimits) {}

  get held(): number {
    return this.#held;
  }

  get callers(): number {
    return this.#byCaller.size;
  }

  /**
   * Number of networks that hold at least one share. Only the widest network of each caller is
   * counted.
   */
  get networks(): number {
    return this.#byWidest.size;
  }

  get isFull(): boolean {
    return this.#held >= this.limits.inAll;
  }

  /** True if more than half of all shares are held. */
  get isBusy(): boolean {
    return this.#held * 2 > this.limits.inAll;
  }

  /** Returns true if the caller holds its own maximum, regardless of other callers. */
  hasMost(caller: Caller): boolean {
    return (this.#byCaller.get(caller.name) ?? 0) >= mostOf(caller, this.limits.perClient);
  }

  /**
   * Returns the limit that forbids another share: `caller` for the limits of the caller and its
   * networks, `all` for the total. Returns null if the caller may acquire a share.
   */
  rejection(caller: Caller): 'caller' | 'all' | null {
    const { perClient } = this.limits;
    if (this.hasMost(caller) || this.#hasHalf(caller)) return 'caller';
    const hasTooMuch = (network: string, index: number): boolean =>
      (this.#byNetwork.get(network) ?? 0) >= mostOfNetwork(index, perClient);
    if (!this.isBusy) this.#waiting = null;
    else if (caller.networks.some(hasTooMuch)) return 'caller';
    const hasQuarter = this.isBusy && this.#hasQuarter(caller);
    if (!this.isFull && hasQuarter) return 'caller';
    if (!this.isFull && !this.#isLastKept(caller)) return null;
    const widest = widestOf(caller);
    const isFirst = this.#waiting === null || this.heldBy(widest) < this.heldBy(this.#waiting);
    if (!hasQuarter && isFirst) this.#waiting = widest;
    return 'all';
  }

  /**
   * Acquires a share for the caller.
   * @returns function that releases the share; calling it again has no effect
   */
  take(caller: Caller): () => void {
    this.#count(caller, 1);
    if (this.#waiting === widestOf(caller)) this.#waiting = null;
    let isHeld = true;
    return () => {
      if (isHeld) this.#count(caller, -1);
      isHeld = false;
    };
  }

  /**
   * Returns true if the caller's widest network holds half of the total, or the only share. The
   * other half is always left for other networks. If it were already in use, nothing could be
   * reserved for networks that come later.
   */
  #hasHalf(caller: Caller): boolean {
    if (caller === UNNAMED_CALLER) return false;
    return this.heldBy(widestOf(caller)) >= Math.ceil(this.limits.inAll / 2);
  }

  /**
   * Returns true if the caller's widest network holds a quarter, while other networks hold shares
   * or wait.
   */
  #hasQuarter(caller: Caller): boolean {
    const widest = widestOf(caller);
    const own = this.heldBy(widest);
    const others = this.#held - own > 0 || (this.#waiting !== null && this.#waiting !== widest);
    return others && own >= quarterOf(this.limits.inAll);
  }

  /**
   * Returns true if only the last share is free and it is reserved for a waiting network with fewer
   * shares than the caller's network. A quarter for each of five networks would be more than all
   * shares. Without this rule, the network with the most requests would get every share that
   * becomes free.
   */
  #isLastKept(caller: Caller): boolean {
    if (this.#waiting === null || this.#held + 1 < this.limits.inAll) return false;
    return this.heldBy(widestOf(caller)) > this.heldBy(this.#waiting);
  }

  /**
   * Returns the number of shares that a network holds. The network must be the widest one of its
   * callers.
   */
  heldBy(widest: string): number {
    return this.#byWidest.get(widest) ?? 0;
  }

  #count(caller: Caller, change: number): void {
    this.#held += change;
    changeBy(this.#byCaller, caller.name, change);
    changeBy(this.#byWidest, widestOf(caller), change);
    for (const network of caller.networks) changeBy(this.#byNetwork, network, change);
  }
}

function changeBy(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
