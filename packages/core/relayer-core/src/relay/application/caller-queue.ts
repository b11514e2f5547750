import { widestOf, type Caller } from '@sotto/kernel';

/** Work that waits for a slot: it is either started or rejected. */
export interface Waiting {
  /** Resource that only one piece of work uses at a time; null if none. */
  readonly key: string | null;
  readonly enter: () => void;
  readonly turnAway: () => void;
}

/** Waiting work by caller, in the order of their next turns. Contains no empty queues. */
type Callers = Map<string, Waiting[]>;

/**
 * Fair queue: networks alternate, callers alternate within a network, and the work of a caller
 * keeps its order.
 */
export class CallerQueue {
  /** Callers by widest network, in the order of their next turns. Contains no empty queues. */
  readonly #byNetwork = new Map<string, Callers>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(caller: Caller, waiting: Waiting): void {
    const network = widestOf(caller);
    const callers = this.#byNetwork.get(network) ?? new Map<string, Waiting[]>();
    this.#byNetwork.set(network, callers);
    callers.set(caller.name, [...(callers.get(caller.name) ?? []), waiting]);
    this.#size += 1;
  }

  /** Removes and returns the next work that can run, by the order of turns. */
  next(canGoOn: (waiting: Waiting) => boolean): Waiting | undefined {
    for (const [network, callers] of this.#byNetwork)
      for (const [caller, [first, ...rest]] of callers) {
        if (first === undefined || !canGoOn(first)) continue;
        // Move the caller and its network behind the others.
        callers.delete(caller);
        if (rest.length > 0) callers.set(caller, rest);
        this.#byNetwork.delete(network);
        if (callers.size > 0) this.#byNetwork.set(network, callers);
        this.#size -= 1;
        return first;
      }
    return undefined;
  }

  /**
   * Removes and returns the last work of the caller with the longest queue. The caller belongs to
   * the network with most work, if this is at least two more than this caller's network has.
   * Otherwise the caller belongs to the same network, if its queue has at least two more entries
   * than this caller's. Returns undefined if neither applies.
   */
  displacedBy(caller: Caller): Waiting | undefined {
    const own = this.#byNetwork.get(widestOf(caller));
    const [network, most] = largest(this.#byNetwork, waitingOf);
    if (most !== undefined && most !== own && waitingOf(most) >= waitingOf(own) + 2)
      return this.#takeLast(network, most);
    const ofCaller = own?.get(caller.name)?.length ?? 0;
    const [, longest = []] = largest(own ?? new Map<string, Waiting[]>(), ({ length }) => length);
    if (own === undefined || longest.length < ofCaller + 2) return undefined;
    return this.#takeLast(widestOf(caller), own);
  }

  /** Removes and returns the last work of the network's caller with the longest queue. */
  #takeLast(network: string, callers: Callers): Waiting | undefined {
    const [caller, queue = []] = largest(callers, ({ length }) => length);
    const last = queue.at(-1);
    if (queue.length > 1) callers.set(caller, queue.slice(0, -1));
    else callers.delete(caller);
    if (callers.size === 0) this.#byNetwork.delete(network);
    this.#size -= 1;
    return last;
  }
}

const waitingOf = (callers: Callers | undefined): number =>
  [...(callers?.values() ?? [])].reduce((all, queue) => all + queue.length, 0);

/** Returns the entry with the largest value; the last one if several are equal. */
function largest<Value>(
  values: ReadonlyMap<string, Value>,
  sizeOf: (value: Value) => number,
): readonly [string, Value | undefined] {
  let [name, most]: readonly [string, Value | undefined] = ['', undefined];
  for (const [other, value] of values)
    if (most === undefined || sizeOf(value) >= sizeOf(most)) [name, most] = [other, value];
  return [name, most];
}
