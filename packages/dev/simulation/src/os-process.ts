import type { Clock } from '@sotto/kernel';
import type { Scheduler } from './scheduler.js';

/** Start of the run by an accurate clock. */
export const START_MS = 1_800_000_000_000;

/**
 * An operating system process as the world sees it: it can be killed, stopped and continued, and
 * its clock can be set.
 */
export class OsProcess {
  #isDead = false;
  #isStopped = false;
  #held: (() => void)[] = [];
  /** Error of its wall clock, in milliseconds. */
  wallOffsetMs = 0;
  /** Kills the process at the call that decrements this to 0. */
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

  /** SIGKILL: nothing reaches the process any more. */
  kill(): void {
    this.#isDead = true;
    this.#held = [];
  }

  /** SIGSTOP: events for the process wait. */
  stop(): void {
    this.#isStopped = true;
  }

  /** SIGCONT: the process continues with all events that have arrived since. */
  goOn(): void {
    this.#isStopped = false;
    const held = this.#held;
    this.#held = [];
    for (const enter of held) this.scheduler.after(0, () => this.enter(enter));
  }

  /** Delivers an event to the process: an answer, a timer, a request. */
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
