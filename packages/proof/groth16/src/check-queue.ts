/** What waits to be checked. Callers take turns; the checks of one keep their order. */
export class CheckQueue<T> {
  /** By caller, in the order of their next turns. Nothing empty stays. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  /** @param checksAlone whether a caller's checks are put together with no others */
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
   * Takes up to so many, of one caller at most half, so that no batch is one caller's alone. A
   * caller whose checks are made alone has one of them taken, by itself, when it has the turn.
   */
  take(count: number): readonly T[] {
    const [next] = this.#waiting.keys();
    if (next !== undefined && this.checksAlone(next)) return this.#takeTurns(1, 1, () => true);
    return this.#takeTurns(count, Math.ceil(count / 2), (caller) => !this.checksAlone(caller));
  }

  #takeTurns(count: number, ofOneCaller: number, has: (caller: string) => boolean): readonly T[] {
    const taken: T[] = [];
    for (let round = 0; round < ofOneCaller; round += 1) {
      // A copy: who goes behind the others has had a turn in this round.
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

  /** Takes all. */
  drain(): readonly T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
