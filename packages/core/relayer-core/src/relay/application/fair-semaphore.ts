import { Overloaded, type Caller } from '@sotto/kernel';
import { CallerQueue, type Waiting } from './caller-queue.js';

export interface SlotSettings {
  /** How much work runs at a time. */
  readonly slots: number;
  /** How much of it may be of one name, so that one can't hold up all others. */
  readonly slotsPerName: number;
  /** How much of one name may wait. */
  readonly waitingPerName: number;
}

/** Plain numbers, for metrics. */
export interface SlotCounts {
  readonly running: number;
  readonly waiting: number;
  /** Turned away since the start. */
  readonly refused: number;
}

/** What waits for so long, in seconds, has usually found room. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Bounds how much work runs and waits; names take turns, within a name networks and their callers
 * do, and work of one caller goes in the order in which it came. Work on a key that is in use waits
 * without a slot.
 */
export class FairSemaphore {
  readonly #running = new Map<string, number>();
  readonly #keysInUse = new Set<string>();
  /** By name, in the order of their next turns. */
  readonly #waiting = new Map<string, CallerQueue>();
  #refused = 0;

  constructor(private readonly settings: SlotSettings) {}

  /**
   * Runs the work once it has a slot.
   * @param caller whose work it is. Where too much of a name waits, the network and the caller who
   *   have most of it there make room for others
   * @param key what only one works on at a time, of whatever name; null for nothing
   * @throws Overloaded, before anything is done, when too much of the name waits
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
    // What leaves hands its slot on in the same turn, so what waits can never go on by itself.
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
    // Where all that waited had the same key, more than one may go on now.
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.enter();
  }

  /** Takes out what goes on next, and its slot; undefined for nothing. */
  #next(): Waiting | undefined {
    for (const [name, queue] of this.#waiting) {
      if (!this.#hasRoom(name)) continue;
      const first = queue.next(({ key }) => this.#isFree(key));
      if (first === undefined) continue;
      // A name that has had a turn goes behind the others.
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
