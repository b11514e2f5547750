/**
 * Queue of checks. Callers are served in rotation, and the checks of one caller are served in the
 * sequence of their arrival.
 */
export class CheckQueue<T> {
  /**
   * Checks by caller. The caller that is served next is first. A caller without checks is removed.
   */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  /**
   * @param checksAlone returns true if a caller's checks must not be combined with checks of other
   *   callers
   */
  constructor(private readonly checksAlone: (caller: string) => boolean = () => false) {}

  get size(): number {
    return this.#size;
  }

  add(caller: string, check: T): void {
    const own = this.#waiting.get(caller);
    if (own === undefined) this.#waiting.set(caller, [check]);
    else own.push(check);
    this.#size += 1;
  }

  /**
   * Removes and returns up to `count` checks. At most half of them belong to one caller, so that no
   * caller fills a batch alone. If `checksAlone` is true for the next caller, only one check of
   * this caller is removed.
   */
  take(count: number): readonly T[] {
    const [next] = this.#waiting.keys();
    if (next !== undefined && this.checksAlone(next)) return this.#takeTurns(1, 1, () => true);
    return this.#takeTurns(count, Math.ceil(count / 2), (caller) => !this.checksAlone(caller));
  }

  #takeTurns(count: number, ofOneCaller: number, has: (caller: string) => boolean): readonly T[] {
    const taken: T[] = [];
    for (let round = 0; round < ofOneCaller; round += 1) {
      // Iterate over a copy, because a caller that moves to the end of the map must not be visited
      // again.
      const turns = [...this.#waiting];
      for (const [caller, own] of turns) {
        if (taken.length === count) return taken;
        const [first, ...rest] = own;
        if (first === undefined || !has(caller)) continue;
        taken.push(first);
        this.#size -= 1;
        this.#waiting.delete(caller);
        if (rest.length > 0) this.#waiting.set(caller, rest);
      }
    }
    return taken;
  }

  /** Removes and returns all checks. */
  drain(): readonly T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
