import type { Clock } from '@sotto/kernel';

/**
 * Time without any response after which the node is probed, and the time between two probes, in
 * milliseconds.
 */
export const PROBE_EVERY_MS = 1_000;
/** Time without any response after which pending reads may be lost, in milliseconds. */
const SILENCE_MS = 2_000;

interface Waiting {
  readonly startMs: number;
  /** Sends the read again; null if the read has already been repeated. */
  repeat: (() => void) | null;
}

/**
 * Repeats each pending read once after a period without responses. A dead connection, or a node
 * that dropped the requests, would otherwise delay these reads until their deadline, although the
 * node responds again.
 */
export class SilenceWatch {
  readonly #waiting = new Set<Waiting>();
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  #isProbing = false;

  /**
   * @param probe sends a small request; rejects if no response arrives within {@link
   *   PROBE_EVERY_MS}
   */
  constructor(
    private readonly clock: Clock,
    private readonly probe: () => Promise<unknown>,
  ) {}

  /**
   * Resolves with the first response to the read. Rejects if the last request for the read fails.
   */
  run<T>(read: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = { startMs: this.clock.monotonicMs(), repeat: null };
      let latest = 0;
      const send = async (): Promise<void> => {
        latest += 1;
        const own = latest;
        const startMs = this.clock.monotonicMs();
        try {
          const answer = await read();
          this.#waiting.delete(waiting);
          this.#answered(startMs);
          resolve(answer);
        } catch (error) {
          // Ignore this failure: the read was sent again, and the newer request is still pending.
          if (own !== latest) return;
          this.#waiting.delete(waiting);
          reject(error);
        }
      };
      waiting.repeat = () => void send();
      this.#waiting.add(waiting);
      void send();
      void this.#probeIfSilent();
    });
  }

  /**
   * Returns the time at which the current silence began, in milliseconds: since then, a read has
   * waited without any response. Null if no read waits.
   */
  #silentSinceMs(): number | null {
    const [oldest] = this.#waiting;
    return oldest === undefined ? null : Math.max(oldest.startMs, this.#answeredAtMs);
  }

  /**
   * @param startMs time at which the request that now received a response was sent, in milliseconds
   */
  #answered(startMs: number): void {
    const sinceMs = this.#silentSinceMs();
    const nowMs = this.clock.monotonicMs();
    this.#answeredAtMs = nowMs;
    if (sinceMs === null || nowMs - sinceMs < SILENCE_MS) return;
    for (const waiting of this.#waiting) {
      if (waiting.startMs >= startMs) continue;
      waiting.repeat?.();
      waiting.repeat = null;
    }
  }

  async #probeIfSilent(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    for (;;) {
      const sinceMs = this.#silentSinceMs();
      if (sinceMs === null) break;
      const waitMs = sinceMs + PROBE_EVERY_MS - this.clock.monotonicMs();
      if (waitMs > 0) await this.clock.sleep(waitMs);
      else await this.#probeOnce();
    }
    this.#isProbing = false;
  }

  async #probeOnce(): Promise<void> {
    const startMs = this.clock.monotonicMs();
    try {
      await this.probe();
      this.#answered(startMs);
    } catch {
      const waitMs = startMs + PROBE_EVERY_MS - this.clock.monotonicMs();
      if (waitMs > 0) await this.clock.sleep(waitMs);
    }
  }
}
