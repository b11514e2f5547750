interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly happen: () => void | Promise<void>;
}

const MOST_AT_ONCE = 4;

/**
 * Scheduler with one queue of all events in virtual time. Before the next event starts, all work
 * that the previous event started in this thread is completed. So a run depends only on its random
 * choices. Real I/O of an event (a file, a database) ends before virtual time advances.
 */
export class Scheduler {
  #nowMs = 0;
  #order = 0;
  readonly #heap: Due[] = [];
  /** Real I/O of events that has not ended. The value is the virtual time at which it started. */
  readonly #underway = new Map<Promise<void>, number>();
  events = 0;

  /**
   * Creates a scheduler.
   * @param overlapMs virtual time in ms within which events may overlap in real time
   * @default no overlap
   */
  constructor(private readonly overlapMs: number | null = null) {}

  get nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, happen: () => void | Promise<void>): void {
    this.#order += 1;
    this.#push({ atMs: this.#nowMs + Math.max(ms, 0), order: this.#order, happen });
  }

  /** Runs events until `untilMs`, or until `isOver` returns true after an event. */
  async run(untilMs: number, isOver: () => boolean): Promise<void> {
    for (let due = this.#heap[0]; due !== undefined && due.atMs <= untilMs; due = this.#heap[0]) {
      if (this.#underway.size > 0 && (await this.#waited(due.atMs))) continue;
      this.#pop();
      this.#nowMs = due.atMs;
      this.events += 1;
      const underway = due.happen();
      if (underway !== undefined) await this.#begun(underway);
      await atRest();
      if (isOver()) break;
    }
    await Promise.all(this.#underway.keys());
    if (isOver()) return;
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  async #begun(underway: Promise<void>): Promise<void> {
    if (this.overlapMs === null) return underway;
    const ended = underway.finally(() => this.#underway.delete(ended));
    this.#underway.set(ended, this.#nowMs);
  }

  /**
   * Waits until the real I/O of one event ends, if it must end before `atMs`. Returns true if it
   * waited; then there may be new events before `atMs`.
   */
  async #waited(atMs: number): Promise<boolean> {
    const begunMs = Math.min(...this.#underway.values());
    if (atMs <= begunMs + (this.overlapMs ?? 0) && this.#underway.size < MOST_AT_ONCE) return false;
    await Promise.race(this.#underway.keys());
    return true;
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let index = heap.length;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, due)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      if (left === undefined) break;
      const isLeft = right === undefined || isBefore(left, right);
      const child = isLeft ? left : right;
      if (isBefore(last, child)) break;
      heap[index] = child;
      index = 2 * index + (isLeft ? 1 : 2);
    }
    heap[index] = last;
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

/** Resolves when the microtask queue is empty. */
function atRest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
