import { Overloaded, type Caller } from '@sotto/kernel';
import { CallerQueue, type Waiting } from './caller-queue.js';

export interface SlotSettings {
  /** Maximum amount of work that runs at the same time. */
  readonly slots: number;
  /**
   * Maximum amount of concurrent work per name. The limit prevents a single name from blocking the
   * work of all other names.
   */
  readonly slotsPerName: number;
  /** Maximum amount of waiting work per name. */
  readonly waitingPerName: number;
}

/** Numbers of running, waiting and rejected pieces of work, for metrics. */
export interface SlotCounts {
  readonly running: number;
  readonly waiting: number;
  /**
   * Number of times since the start of the process that work was rejected because the queue of its
   * name was full.
   */
  readonly refused: number;
}

/** Seconds after which a rejected caller should retry. After this time, a slot is usually free. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits the amount of concurrent and waiting work. Slots alternate between names, then between
 * networks within a name, then between callers within a network. The work of a single caller runs
 * in its original order. While the key of some work is in use, this work waits and occupies no
 * slot.
 */
export class FairSemaphore {
  readonly #running = new Map<string, number>();
  readonly #keysInUse = new Set<string>();
  /** Queues by name, in the order in which the names are served next. */
  readonly #waiting = new Map<string, CallerQueue>();
  #refused = 0;

  constructor(private readonly settings: SlotSettings) {}

  /**
   * Runs the work when it has a slot.
   * @param caller caller of the work. If the queue of the name is full and this caller has less
   *   work in it than others, waiting work of the caller with most work is rejected instead
   * @param key resource that only one piece of work may use at a time, across all names; null if
   *   the work needs no such resource
   * @throws Overloaded if the queue of the name is full; the work was not started
   */
  async run<T>(
    name: string,
    caller: Caller,
    work: () => Promise<T>,
    key: string | null = null,
  ): Promise<T> {
    await this.#enter(name, caller, key);
    try {
      return await work();
    } finally {
      this.#leave(name, key);
    }
  }

  counts(): SlotCounts {
    const waiting = [...this.#waiting.values()].reduce((all, queue) => all + queue.size, 0);
    return { running: this.#total(), waiting, refused: this.#refused };
  }

  async #enter(name: string, caller: Caller, key: string | null): Promise<void> {
    // New work can't overtake waiting work here, because a released slot passes to the next waiting
    // work in the same tick.
    if (this.#hasRoom(name) && this.#isFree(key)) {
      this.#take(name, key);
      return;
    }
    const queue = this.#waiting.get(name) ?? new CallerQueue();
    if (queue.size >= this.settings.waitingPerName) {
      this.#refused += 1;
      const displaced = queue.displacedBy(caller);
      if (displaced === undefined) throw new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS });
      displaced.turnAway();
    }
    this.#waiting.set(name, queue);
    await new Promise<void>((resolve, reject) => {
      queue.add(caller, {
        key,
        enter: resolve,
        turnAway: () => reject(new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS })),
      });
    });
  }

  #leave(name: string, key: string | null): void {
    this.#count(name, -1);
    if (key !== null) this.#keysInUse.delete(key);
    // Several pieces of waiting work may have waited for the released key, so more than one piece
    // may be able to run now.
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.enter();
  }

  /**
   * Removes the next work from its queue and reserves its slot. Undefined if no waiting work can
   * run.
   */
  #next(): Waiting | undefined {
    for (const [name, queue] of this.#waiting) {
      if (!this.#hasRoom(name)) continue;
      const first = queue.next(({ key }) => this.#isFree(key));
      if (first === undefined) continue;
      // Move the name behind all other names.
      this.#waiting.delete(name);
      if (queue.size > 0) this.#waiting.set(name, queue);
      this.#take(name, first.key);
      return first;
    }
    return undefined;
  }

  #take(name: string, key: string | null): void {
    this.#count(name, 1);
    if (key !== null) this.#keysInUse.add(key);
  }

  #isFree(key: string | null): boolean {
    return key === null || !this.#keysInUse.has(key);
  }

  #hasRoom(name: string): boolean {
    return (
      this.#total() < this.settings.slots &&
      (this.#running.get(name) ?? 0) < this.settings.slotsPerName
    );
  }

  #total(): number {
    return [...this.#running.values()].reduce((all, count) => all + count, 0);
  }

  #count(name: string, change: number): void {
    const count = (this.#running.get(name) ?? 0) + change;
    if (count === 0) this.#running.delete(name);
    else this.#running.set(name, count);
  }
}
