/** Maximum amounts that may be signed per hour and per day. A null limit is not checked. */
interface Limits {
  readonly perHour: bigint | null;
  readonly perDay: bigint;
}

/** Amount of one resource that a signed transaction may spend. */
export interface Charge {
  /** Name of the resource, for example the gas of one account. */
  readonly what: string;
  readonly amount: bigint;
  readonly limits: Limits;
}

/**
 * Stored charge. Only the part of the amount is stored by which the charge exceeds earlier charges
 * of the same nonce.
 */
export interface Entry {
  readonly atMs: number;
  readonly what: string;
  /** Account and nonce. Only one transaction per account and nonce can land. */
  readonly slot: string;
  readonly added: bigint;
}

const HOUR_MS = 3_600_000;
/** Longest period of any limit, in ms. */
export const DAY_MS = 24 * HOUR_MS;
/**
 * Number of expired entries at the start of the array. At this number, the array is copied without
 * these entries.
 */
const MAX_LEFT_BEHIND = 4_096;

/** Entries of the last hour or of the last day, and the sum of their amounts. */
class Window {
  #entries: Entry[] = [];
  #first = 0;
  sum = 0n;

  constructor(private readonly spanMs: number) {}

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.sum += entry.added;
  }

  /** Removes expired entries. @returns the removed entries */
  *expire(nowMs: number): Iterable<Entry> {
    for (;;) {
      const entry = this.#entries[this.#first];
      if (entry === undefined || entry.atMs > nowMs - this.spanMs) break;
      this.#first += 1;
      this.sum -= entry.added;
      yield entry;
    }
    if (this.#first < MAX_LEFT_BEHIND) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}

/**
 * Amounts signed in the last day, in memory. For each nonce and resource only the largest amount is
 * counted, because only one transaction per nonce can land. If a nonce was last charged more than a
 * day ago, its full amount is counted again.
 */
export class Spending {
  readonly #windows = new Map<string, { readonly hour: Window; readonly day: Window }>();
  readonly #ofSlot = new Map<string, bigint>();

  /**
   * Returns the amount by which a charge exceeds the earlier charges of the same nonce, or zero if
   * it does not exceed them.
   */
  added({ what, amount }: Charge, slot: string): bigint {
    const before = this.#ofSlot.get(keyOf(what, slot)) ?? 0n;
    return amount > before ? amount - before : 0n;
  }

  /**
   * Returns true if the limits allow an additional amount of `added`. An amount of zero is always
   * allowed.
   */
  fits({ what, limits: { perHour, perDay } }: Charge, added: bigint): boolean {
    if (added === 0n) return true;
    const { hour, day } = this.#windowsOf(what);
    return day.sum + added <= perDay && (perHour === null || hour.sum + added <= perHour);
  }

  add(entry: Entry): void {
    const { hour, day } = this.#windowsOf(entry.what);
    hour.add(entry);
    day.add(entry);
    this.#change(entry, entry.added);
  }

  /** Removes entries that are too old to count for a limit. */
  expire(nowMs: number): void {
    for (const { hour, day } of this.#windows.values()) {
      for (const entry of hour.expire(nowMs)) void entry;
      for (const entry of day.expire(nowMs)) this.#change(entry, -entry.added);
    }
  }

  #windowsOf(what: string): { readonly hour: Window; readonly day: Window } {
    const windows = this.#windows.get(what) ?? {
      hour: new Window(HOUR_MS),
      day: new Window(DAY_MS),
    };
    this.#windows.set(what, windows);
    return windows;
  }

  #change({ what, slot }: Entry, by: bigint): void {
    const key = keyOf(what, slot);
    const sum = (this.#ofSlot.get(key) ?? 0n) + by;
    if (sum === 0n) this.#ofSlot.delete(key);
    else this.#ofSlot.set(key, sum);
  }
}

const keyOf = (what: string, slot: string): string => `${what}|${slot}`;
