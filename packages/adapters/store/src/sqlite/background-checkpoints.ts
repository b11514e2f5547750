import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';

// The same file from src and from dist.
const WORKER_FILE = fileURLToPath(
  new URL('../../dist/sqlite/sqlite-checkpoint-worker.js', import.meta.url),
);

/** So long after a write; what is written meanwhile is copied with it. */
const DELAY_MS = 250;

/**
 * Empties SQLite's log in a thread of its own: on the event loop it takes some ten milliseconds
 * whenever a thousand pages have come together. Where it can't, the log grows until the connection
 * that writes empties it itself.
 */
export class BackgroundCheckpoints {
  readonly #path: string;
  #pool: Piscina<string, void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  /**
   * @param isTrusted whether the log on disk is as it is read. Where it is not, a page that is
   *   copied out of it would be older after a power cut than those that the log leaves.
   */
  constructor(
    path: string,
    private readonly isTrusted: () => boolean,
  ) {
    this.#path = path;
  }

  /** More of the log is on disk. */
  grown(): void {
    if (this.#closed || this.#timer !== null) return;
    this.#timer = setTimeout(() => void this.#run(), DELAY_MS).unref();
  }

  /** Resolves when none is running: two at a time stand in each other's way. */
  idle(): Promise<void> {
    return this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
    await this.#pool?.destroy();
  }

  async #run(): Promise<void> {
    // What is committed from here on may be too late for this one.
    this.#timer = null;
    if (!this.isTrusted()) return;
    this.#pool ??= new Piscina({ filename: WORKER_FILE, minThreads: 1, maxThreads: 1 });
    // They take turns in the one thread. One that failed is no harm: the next one copies its part
    // too.
    this.#running = this.#pool.run(this.#path).catch(() => undefined);
    await this.#running;
  }
}
