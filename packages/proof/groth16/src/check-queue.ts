/** Queue of checks. Callers are served in rotation; the checks of one keep their order. */
export class CheckQueue<T> {
  /** Checks by caller, in the order of their next turns. A caller without checks is removed. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  /** @param checksAlone returns true if a caller's checks must not be combined with others */
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
   * Removes up to this many checks, at most half of them from one caller, so that no batch belongs
   * to one caller alone. If it is the turn of a caller that is checked alone, removes one check of
   * it only.
   */
  take(count: number): readonly T[] {
    const [next] = this.#waiting.keys();
    if (next !== undefined && this.checksAlone(next)) return this.#takeTurns(1, 1, () => true);
    return this.#takeTurns(count, Math.ceil(count / 2), (caller) => !this.checksAlone(caller));
  }

  #takeTurns(count: number, ofOneCaller: number, has: (caller: string) => boolean): readonly T[] {
    const taken: T[] = [];
    for (let round = 0; round < ofOneCaller; round += 1) {
      // Copy the list: a caller that moves to the end has had its turn in this round.
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
