import type { Clock } from '../clock.js';

/** Clock that advances only by a test's request and by callers' sleeps. */
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

  /** Sets the machine's clock: no time passes. */
  step(ms: number): void {
    this.ms += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.pass(ms);
    // Let other work run, as during real time.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
