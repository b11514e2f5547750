import { Overloaded } from '@sotto/kernel';
import { CallerQueue } from './caller-queue.js';

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
 * Bounds how much work runs and waits; names take turns, within a name its callers do, and work of
 * one caller goes in the order in which it came.
 */
export class FairSemaphore {
  readonly #running = new Map<string, number>();
  /** By name, in the order of their next turns. */
  readonly #waiting = new Map<string, CallerQueue>();
  #refused = 0;

  constructor(private readonly settings: SlotSettings) {}

  /**
   * Runs the work once it has a slot.
   * @param caller whose work it is. Where too much of a name waits, the caller who has most of it
   *   there makes room for others
   * @throws Overloaded, before anything is done, when too much of the name waits
   */
  async run<T>(name: string, caller: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(name, caller);
    try {
      return await work();
    } finally {
      this.#leave(name);
    }
  }

  counts(): SlotCounts {
    const waiting = [...this.#waiting.values()].reduce((all, queue) => all + queue.size, 0);
    return { running: this.#total(), waiting, refused: this.#refused };
  }

  async #enter(name: string, caller: string): Promise<void> {
    // What leaves hands its slot on in the same turn, so a name that waits never has room.
    if (this.#hasRoom(name)) {
      this.#count(name, 1);
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
        enter: resolve,
        turnAway: () => reject(new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS })),
      });
    });
  }

  #leave(name: string): void {
    this.#count(name, -1);
    for (const [next, queue] of this.#waiting) {
      if (!this.#hasRoom(next)) continue;
      const first = queue.next();
      // A name that has had a turn goes behind the others.
      this.#waiting.delete(next);
      if (queue.size > 0) this.#waiting.set(next, queue);
      this.#count(next, 1);
      first?.enter();
      return;
    }
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
