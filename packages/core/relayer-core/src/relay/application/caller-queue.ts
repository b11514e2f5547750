/** What waits for a turn: it is let in, or turned away. */
export interface Waiting {
  /** What only one works on at a time; null for nothing. */
  readonly key: string | null;
  readonly enter: () => void;
  readonly turnAway: () => void;
}

/** A queue in which callers take turns, each in the order in which it came. */
export class CallerQueue {
  /** By caller, in the order of their next turns. */
  readonly #byCaller = new Map<string, Waiting[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(caller: string, waiting: Waiting): void {
    const queue = this.#byCaller.get(caller) ?? [];
    queue.push(waiting);
    this.#byCaller.set(caller, queue);
    this.#size += 1;
  }

  /** Takes out the first of the caller whose turn it is, of those that can go on. */
  next(canGoOn: (waiting: Waiting) => boolean): Waiting | undefined {
    for (const [caller, queue] of this.#byCaller) {
      const [first, ...rest] = queue;
      if (first === undefined || !canGoOn(first)) continue;
      // A caller that has had a turn goes behind the others.
      this.#byCaller.delete(caller);
      if (rest.length > 0) this.#byCaller.set(caller, rest);
      this.#size -= 1;
      return first;
    }
    return undefined;
  }

  /**
   * Takes out the last of the caller who has most in the queue, if that is at least two more than
   * this caller has.
   */
  displacedBy(caller: string): Waiting | undefined {
    const own = this.#byCaller.get(caller)?.length ?? 0;
    let longest: Waiting[] = [];
    for (const queue of this.#byCaller.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length < own + 2) return undefined;
    this.#size -= 1;
    return longest.pop();
  }
}
