import { widestOf, type Caller } from '@sotto/kernel';

/** Work that waits for a slot and is then either started (`enter`) or rejected (`turnAway`). */
export interface Waiting {
  /**
   * Key of a resource that only one piece of work may use at a time; null if the work needs no such
   * resource.
   */
  readonly key: string | null;
  readonly enter: () => void;
  readonly turnAway: () => void;
}

/**
 * Waiting work by caller, in the order in which the callers are served next. Contains no empty
 * queues.
 */
type Callers = Map<string, Waiting[]>;

/**
 * Fair queue. Networks alternate, and callers alternate within a network. The work of a single
 * caller runs in its original order.
 */
export class CallerQueue {
  /**
   * Callers by widest network, in the order in which the networks are served next. Contains no
   * empty queues.
   */
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

  /** Removes and returns the next work that can run. Undefined if no waiting work can run. */
  next(canGoOn: (waiting: Waiting) => boolean): Waiting | undefined {
    for (const [network, callers] of this.#byNetwork)
      for (const [caller, [first, ...rest]] of callers) {
        if (first === undefined || !canGoOn(first)) continue;
        // Move the caller behind the other callers of its network, and the network behind the other
        // networks.
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
   * Removes and returns work that is rejected in favour of new work of `caller`: the last work of
   * the caller with the longest queue. This caller belongs to the network with most work, if that
   * network has at least two entries more than the network of `caller`. Otherwise it belongs to the
   * network of `caller`, if its queue has at least two entries more than the queue of `caller`.
   * Undefined if neither condition is met.
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

  /**
   * Finds the caller with the longest queue in the network; removes and returns the last work of
   * this caller.
   */
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

/**
 * Returns the map entry with the largest value; the last such entry if several values are equal.
 */
function largest<Value>(
  values: ReadonlyMap<string, Value>,
  sizeOf: (value: Value) => number,
): readonly [string, Value | undefined] {
  let [name, most]: readonly [string, Value | undefined] = ['', undefined];
  for (const [other, value] of values)
    if (most === undefined || sizeOf(value) >= sizeOf(most)) [name, most] = [other, value];
  return [name, most];
}
