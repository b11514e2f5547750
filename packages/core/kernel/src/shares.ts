import { UNNAMED_CALLER, type Caller } from './caller.js';

export interface ShareLimits {
  /** Held at a time. */
  readonly inAll: number;
  /** Of these by one caller. */
  readonly perClient: number;
}

/** All callers of the shared listener count as this one. */
export const SHARED_CALLER: Caller = { name: 'shared', networks: [] };

/**
 * The next wider network of a caller may have four times as much as the one in it: /24 or /56, then
 * /48.
 */
const WIDER = 4;
/** As much as a /48 may have. */
const SHARED = WIDER * WIDER;

/**
 * What a caller may have where an address may have `perClient`. The shared listener's is for many.
 */
export const mostOf = ({ name }: Caller, perClient: number): number =>
  name === SHARED_CALLER.name ? perClient * SHARED : perClient;

/** What each of a caller's networks may have, in their order. */
export const mostOfNetwork = (index: number, perClient: number): number =>
  perClient * WIDER ** (index + 1);

/** Part of a shared capacity, or of an amount per hour, that one network may have. */
const PARTS = 4;

/** Quarter of a capacity or of an amount per hour, rounded up: 0 only of nothing. */
export function quarterOf(amount: number): number;
export function quarterOf(amount: bigint): bigint;
export function quarterOf(amount: number | bigint): number | bigint {
  return typeof amount === 'bigint'
    ? (amount + BigInt(PARTS) - 1n) / BigInt(PARTS)
    : Math.ceil(amount / PARTS);
}

/**
 * The widest network of a caller: /24 or /48; the caller itself if no network is known. A stranger
 * rents addresses inside one network cheaply, and a second network at a price.
 */
export const widestOf = ({ name, networks }: Caller): string => networks.at(-1) ?? name;

/**
 * Counts what is held at a time, in all and by caller. A network never holds more than half of all,
 * whatever one caller may hold. Other limits of networks apply only while more than half of all is
 * held. While others hold some or wait, a network then gets no more than a quarter of all, and the
 * last share goes to the network that waits and has fewest. {@link UNNAMED_CALLER} is no network.
 */
export class Shares {
  readonly #byCaller = new Map<string, number>();
  readonly #byNetwork = new Map<string, number>();
  readonly #byWidest = new Map<string, number>();
  #held = 0;
  /**
   * Widest network that was refused while it had less than its quarter, of several one that has
   * fewest; null for none.
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

  /** More than half of what may be held is. */
  get isBusy(): boolean {
    return this.#held * 2 > this.limits.inAll;
  }

  /** The caller holds as much as one may, whatever others hold. */
  hasMost(caller: Caller): boolean {
    return (this.#byCaller.get(caller.name) ?? 0) >= mostOf(caller, this.limits.perClient);
  }

  /** Whose share is used up; null when there is room for one more. */
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

  /** @returns what gives the share back; to call it again changes nothing */
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
   * True if the last share is kept for a network that waits and has fewer than the caller's: five
   * networks have more than four quarters, and the one that asks most often would have all.
   */
  #isLastKept(caller: Caller): boolean {
    if (this.#waiting === null || this.#held + 1 < this.limits.inAll) return false;
    return this.heldBy(widestOf(caller)) > this.heldBy(this.#waiting);
  }

  /** Number that a widest network holds. */
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
