import type { Clock } from '@sotto/kernel';
import type { Scheduler } from './scheduler.js';

/** Time at which a run starts, in ms, on an accurate clock. */
export const START_MS = 1_800_000_000_000;

/**
 * Simulated operating system process. The world can kill, stop and continue the process, and can
 * set the process's clock.
 */
export class OsProcess {
  #isDead = false;
  #isStopped = false;
  #held: (() => void)[] = [];
  /** Difference between the process's wall clock and the true time, in milliseconds. */
  wallOffsetMs = 0;
  /**
   * Number of calls until the process is killed. Each call decrements `count`; the call that sets
   * it to 0 kills the process. Null if no kill is planned.
   */
  callsLeft: { count: number; readonly takesEffect: boolean } | null = null;
  readonly clock: Clock;

  constructor(
    readonly name: string,
    private readonly scheduler: Scheduler,
  ) {
    const bornMs = scheduler.nowMs;
    this.clock = {
      nowMs: () => Math.floor(START_MS + scheduler.nowMs + this.wallOffsetMs),
      monotonicMs: () => scheduler.nowMs - bornMs,
      sleep: (ms, signal) => this.#sleep(ms, signal),
    };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Kills the process (SIGKILL). Events no longer reach it. */
  kill(): void {
    this.#isDead = true;
    this.#held = [];
  }

  /** Stops the process (SIGSTOP). Events for it wait. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Continues the process (SIGCONT), which then receives all events that have arrived since the
   * stop.
   */
  goOn(): void {
    this.#isStopped = false;
    const held = this.#held;
    this.#held = [];
    for (const enter of held) this.scheduler.after(0, () => this.enter(enter));
  }

  /** Delivers an event to the process, for example an answer, a timer or a request. */
  enter(happen: () => void): void {
    if (this.#isDead) return;
    if (this.#isStopped) this.#held.push(happen);
    else happen();
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      signal?.addEventListener('abort', wake, { once: true });
      this.scheduler.after(ms, () => this.enter(wake));
    });
  }
}
