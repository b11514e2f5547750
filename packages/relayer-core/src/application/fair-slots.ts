import { Overloaded } from '../errors.js';

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

/** Bounds how much work runs and waits; names take turns, and work of one name goes in the order in which it came. */
export class FairSlots {
  readonly #running = new Map<string, number>();
  /** By name, in the order of their next turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #refused = 0;

  constructor(private readonly settings: SlotSettings) {}

  /** Runs the work once it has a slot. @throws Overloaded, before anything is done, when too much of the name waits already. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(name);
    try {
      return await work();
    } finally {
      this.#leave(name);
    }
  }

  counts(): SlotCounts {
    const waiting = [...this.#waiting.values()].reduce((all, queue) => all + queue.length, 0);
    return { running: this.#total(), waiting, refused: this.#refused };
  }

  async #enter(name: string): Promise<void> {
    if (this.#waiting.get(name) === undefined && this.#hasRoom(name)) {
      this.#count(name, 1);
      return;
    }
    const queue = this.#waiting.get(name) ?? [];
    if (queue.length >= this.settings.waitingPerName) {
      this.#refused += 1;
      throw new Overloaded({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#waiting.set(name, queue);
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  }

  #leave(name: string): void {
    this.#count(name, -1);
    for (const [next, queue] of this.#waiting) {
      if (!this.#hasRoom(next)) continue;
      const [first, ...rest] = queue;
      // Whoever has had a turn goes behind the other names.
      this.#waiting.delete(next);
      if (rest.length > 0) this.#waiting.set(next, rest);
      this.#count(next, 1);
      first?.();
      return;
    }
  }

  #hasRoom(name: string): boolean {
    return this.#total() < this.settings.slots && (this.#running.get(name) ?? 0) < this.settings.slotsPerName;
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
