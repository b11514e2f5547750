import { sleep } from './sleep.js';

const FIRST_MS = 1_000;
const LONGEST_MS = 16_000;
/** Whatever an answer says: what waits longer is as good as gone. */
const MOST_SAID_MS = 60_000;

/** Pauses between tries: each twice as long as the one before, up to 16 s. */
export class Pauses {
  readonly #signal: AbortSignal;
  #count = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * @param ms instead, where it is known how long: at least 1 s, at most 60 s
   * @throws the signal's reason when that aborts
   */
  async pause(ms: number = Math.min(FIRST_MS * 2 ** this.#count, LONGEST_MS)): Promise<void> {
    this.#count += 1;
    await sleep(Math.min(Math.max(ms, FIRST_MS), MOST_SAID_MS), this.#signal);
  }

  /** Something went right: the next pause is short. */
  reset(): void {
    this.#count = 0;
  }
}
