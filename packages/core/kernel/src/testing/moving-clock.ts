import type { Clock } from '../clock.js';

/** Clock that advances when a test calls it, and when a caller sleeps. */
export class MovingClock implements Clock {
  #monotonicMs = 0;

  constructor(private ms: number) {}

  nowMs(): number {
    return this.ms;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  pass(ms: number): void {
    this.ms += ms;
    this.#monotonicMs += ms;
  }

  /**
   * Moves the wall clock by this many milliseconds, as if the machine's clock was set. The
   * monotonic time does not change.
   */
  step(ms: number): void {
    this.ms += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.pass(ms);
    // Run other pending work first. During a real wait, that work would also run.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
