import type { Clock } from '../clock.js';

/** Stands still, but for what a test lets pass and what callers sleep. */
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

  /** The machine's clock is set: no time passes. */
  step(ms: number): void {
    this.ms += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.pass(ms);
    // Others get their turn, as they do while real time passes.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
