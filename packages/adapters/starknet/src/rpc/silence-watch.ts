import type { Clock } from '@sotto/kernel';

/** Time without any answer after which the node is probed, and between two probes. */
export const PROBE_EVERY_MS = 1_000;
/** Time without any answer after which what is unanswered may be lost. */
const SILENCE_MS = 2_000;

interface Waiting {
  readonly startMs: number;
  /** Sends the read again. Null after it did. */
  repeat: (() => void) | null;
}

/**
 * Sends reads again, once each, after a node was silent: a dead connection, or a node that
 * swallowed them, would hold them until their deadline although the node answers again.
 */
export class SilenceWatch {
  readonly #waiting = new Set<Waiting>();
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  #isProbing = false;

  /** @param probe small request; rejects if no answer came within {@link PROBE_EVERY_MS} */
  constructor(
    private readonly clock: Clock,
    private readonly probe: () => Promise<unknown>,
  ) {}

  /** Resolves with the first answer. Rejects if the read fails, sent again or not. */
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
          // A later request decides.
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

  /** Begin of the time in which a read waits and nothing was answered; null if no read waits. */
  #silentSinceMs(): number | null {
    const [oldest] = this.#waiting;
    return oldest === undefined ? null : Math.max(oldest.startMs, this.#answeredAtMs);
  }

  /** @param startMs when the answered request was sent */
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
