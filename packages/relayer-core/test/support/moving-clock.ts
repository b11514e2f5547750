import type { Clock } from '@sotto/kernel';

/** Stands still, but for what a test lets pass and what somebody sleeps. */
export class MovingClock implements Clock {
  constructor(private ms: number) {}

  nowMs(): number {
    return this.ms;
  }

  pass(ms: number): void {
    this.ms += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.ms += ms;
    // Others get their turn, as they do while real time passes.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
