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

  /** Sets the machine's clock by this many milliseconds. The monotonic time does not change. */
  step(ms: number): void {
    this.ms += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.pass(ms);
    // Run other pending work first, as would happen during real time.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
