import type { Clock } from '@sotto/kernel';
import type { Scheduler } from './scheduler.js';

/** When the run begins, by a clock that goes right. */
export const START_MS = 1_800_000_000_000;

/**
 * One process of the operating system, as far as the world deals with it: it can be killed, stopped
 * and continued, and its clock can be set.
 */
export class OsProcess {
  #isDead = false;
  #isStopped = false;
  #held: (() => void)[] = [];
  /** How far its wall clock is off. */
  wallOffsetMs = 0;
  /** It is killed at the call that makes this 0. */
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

  /** SIGKILL: nothing reaches it any more. */
  kill(): void {
    this.#isDead = true;
    this.#held = [];
  }

  /** SIGSTOP: whatever reaches it waits. */
  stop(): void {
    this.#isStopped = true;
  }

  /** SIGCONT: it goes on with what it had in hand and what has come meanwhile. */
  goOn(): void {
    this.#isStopped = false;
    const held = this.#held;
    this.#held = [];
    for (const enter of held) this.scheduler.after(0, () => this.enter(enter));
  }

  /** Something reaches the process: an answer, a timer, a request. */
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
