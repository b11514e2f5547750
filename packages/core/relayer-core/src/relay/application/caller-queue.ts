import { widestOf, type Caller } from '@sotto/kernel';

/** What waits for a turn: it is let in, or turned away. */
export interface Waiting {
  /** What only one works on at a time; null for nothing. */
  readonly key: string | null;
  readonly enter: () => void;
  readonly turnAway: () => void;
}

/** By caller, in the order of their next turns. Nothing empty stays. */
type Callers = Map<string, Waiting[]>;

/**
 * A queue in which networks take turns, the callers of a network among each other, and each caller
 * in the order in which it came.
 */
export class CallerQueue {
  /** By widest network, in the order of their next turns. Nothing empty stays. */
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

  /** Takes out the first of the caller whose turn it is, of those that can go on. */
  next(canGoOn: (waiting: Waiting) => boolean): Waiting | undefined {
    for (const [network, callers] of this.#byNetwork)
      for (const [caller, [first, ...rest]] of callers) {
        if (first === undefined || !canGoOn(first)) continue;
        // Who has had a turn goes behind the others.
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
   * Takes out the last of the caller who has most in the queue: of the network that has most, if
   * that is at least two more than this caller's network has, or else of the caller's own network,
   * if that is at least two more than this caller has.
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

  /** Of the caller of the network who has most. */
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

/** Returns the entry of the largest value, the last one of several. */
function largest<Value>(
  values: ReadonlyMap<string, Value>,
  sizeOf: (value: Value) => number,
): readonly [string, Value | undefined] {
  let [name, most]: readonly [string, Value | undefined] = ['', undefined];
  for (const [other, value] of values)
    if (most === undefined || sizeOf(value) >= sizeOf(most)) [name, most] = [other, value];
  return [name, most];
}
