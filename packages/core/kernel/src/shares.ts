import { UNNAMED_CALLER, type Caller } from './caller.js';

export interface ShareLimits {
  /** Shares held at a time, in total. */
  readonly inAll: number;
  /** Shares held at a time by one caller. */
  readonly perClient: number;
}

/** Caller that represents all callers of the shared listener. */
export const SHARED_CALLER: Caller = { name: 'shared', networks: [] };

/**
 * Factor by which the limit of a caller's next wider network exceeds that of the narrower one: /24
 * or /56, then /48.
 */
const WIDER = 4;
/** Factor for the shared listener, equal to that of a /48. */
const SHARED = WIDER * WIDER;

/**
 * Returns the limit of a caller, given the limit of an address. The shared listener serves many
 * callers.
 */
export const mostOf = ({ name }: Caller, perClient: number): number =>
  name === SHARED_CALLER.name ? perClient * SHARED : perClient;

/** Returns the limit of each of a caller's networks, in their order. */
export const mostOfNetwork = (index: number, perClient: number): number =>
  perClient * WIDER ** (index + 1);

/** Part of a shared capacity, or of an amount per hour, that one network may have. */
const PARTS = 4;

/** Returns a quarter of a capacity or of an amount per hour, rounded up: 0 only for 0. */
export function quarterOf(amount: number): number;
export function quarterOf(amount: bigint): bigint;
export function quarterOf(amount: number | bigint): number | bigint {
  return typeof amount === 'bigint'
    ? (amount + BigInt(PARTS) - 1n) / BigInt(PARTS)
    : Math.ceil(amount / PARTS);
}

/**
 * Returns the widest network of a caller: /24 or /48, or the caller itself if no network is known.
 * An attacker rents addresses inside one network cheaply, but a second network is expensive.
 */
export const widestOf = ({ name, networks }: Caller): string => networks.at(-1) ?? name;

/**
 * Counts shares in use, in total and by caller. A network never has more than half of the total,
 * even if the limit of one caller is higher. Other limits of networks apply only while more than
 * half of the total is in use. Then, while other networks have or wait for shares, a network gets
 * at most a quarter, and the last share goes to the waiting network with the fewest.
 * {@link UNNAMED_CALLER} is no network.
 */
export class Shares {
  readonly #byCaller = new Map<string, number>();
  readonly #byNetwork = new Map<string, number>();
  readonly #byWidest = new Map<string, number>();
  #held = 0;
  /**
   * Widest network that was rejected while it had less than its quarter; of several, one with
   * fewest shares. Null if none waits.
   */
  #waiting: string | null = null;

  constructor(private readonly limits: ShareLimits) {}

  get held(): number {
    return this.#held;
  }

  get callers(): number {
    return this.#byCaller.size;
  }

  /** Number of widest networks that hold some. */
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

  /** True if the caller holds its maximum, independent of others. */
  hasMost(caller: Caller): boolean {
    return (this.#byCaller.get(caller.name) ?? 0) >= mostOf(caller, this.limits.perClient);
  }

  /** Returns the exhausted share; null if there is room for one more. */
  refusal(caller: Caller): 'caller' | 'all' | null {
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
   * @returns function that releases the share; further calls have no effect
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
   * True if the caller's widest network has half of all, or the only share. The rest stays for
   * other networks: it would be too late to reserve it once they come.
   */
  #hasHalf(caller: Caller): boolean {
    if (caller === UNNAMED_CALLER) return false;
    return this.heldBy(widestOf(caller)) >= Math.ceil(this.limits.inAll / 2);
  }

  /** True if the caller's widest network has its quarter while others hold some or wait. */
  #hasQuarter(caller: Caller): boolean {
    const widest = widestOf(caller);
    const own = this.heldBy(widest);
    const others = this.#held - own > 0 || (this.#waiting !== null && this.#waiting !== widest);
    return others && own >= quarterOf(this.limits.inAll);
  }

  /**
   * True if the last share is reserved for a waiting network with fewer shares than the caller's.
   * Five networks exceed four quarters, and the one with most requests would get all of them.
   */
  #isLastKept(caller: Caller): boolean {
    if (this.#waiting === null || this.#held + 1 < this.limits.inAll) return false;
    return this.heldBy(widestOf(caller)) > this.heldBy(this.#waiting);
  }

  /** Number of shares that a widest network holds. */
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
