import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Checkpointed, CheckpointTask } from './sqlite-checkpoint-worker.js';

// The same file from src and from dist.
const WORKER_FILE = fileURLToPath(
  new URL('../../dist/sqlite/sqlite-checkpoint-worker.js', import.meta.url),
);

/** The least V8 takes: the thread does nothing but run one statement. */
const YOUNG_GENERATION_MB = 3;
/**
 * So long after a write; what is written meanwhile is copied with it. A page that is written again
 * and again is copied once, and each copying syncs the log and the file.
 */
const DELAY_MS = 1_000;
/** The same after a copying that found at least {@link FAST_LOG_BYTES} in the log. */
const SHORT_DELAY_MS = 250;
const FAST_LOG_BYTES = 4_194_304;
/**
 * SQLite begins its log again only when a write finds all of it copied, and under load there is
 * always one that is not. A log of this length is copied to its end while no call has the
 * connection: they wait for what was written since the copying before that.
 */
const LONG_LOG_BYTES = 16_777_216;

/**
 * Empties SQLite's log in a thread of its own: on the event loop it takes some ten milliseconds
 * whenever a thousand pages have come together. Where it can't, the log grows until the connection
 * that writes empties it itself.
 */
export class BackgroundCheckpoints {
  readonly #path: string;
  readonly #log: CopiedLog;
  #pool: Piscina<CheckpointTask, Checkpointed> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #hasGrown = false;
  #delayMs = DELAY_MS;
  #closed = false;

  constructor(path: string, log: CopiedLog) {
    this.#path = path;
    this.#log = log;
  }

  /** More of the log is on disk. */
  grown(): void {
    this.#hasGrown = true;
    if (this.#closed || this.#timer !== null || this.#running !== null) return;
    this.#timer = setTimeout(() => void this.#run(), this.#delayMs).unref();
  }

  /**
   * Empties the log, once most of it was copied and before more is written. To copy and sync the
   * rest, and to give the file's blocks back, would stop the event loop. None of ours runs
   * meanwhile: two at a time stand in each other's way.
   * @param empty does it on the event loop, where the thread can't
   */
  async emptied(empty: () => void): Promise<void> {
    while (this.#running !== null) await this.#running;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const emptying = this.#empty(empty);
    this.#running = emptying.catch(() => undefined);
    try {
      await emptying;
    } finally {
      this.#running = null;
      if (this.#hasGrown) this.grown();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
    await this.#pool?.destroy();
  }

  async #run(): Promise<void> {
    this.#timer = null;
    // What is committed from here on may be too late for this one.
    this.#hasGrown = false;
    // One that failed is no harm: the next one copies its part too.
    this.#running = this.#copy().catch(() => undefined);
    await this.#running;
    this.#running = null;
    if (this.#hasGrown) this.grown();
  }

  async #empty(empty: () => void): Promise<void> {
    await this.#copy().catch(() => undefined);
    await this.#log.unwritten(async () => {
      const done = await this.#inThread('truncate').catch(() => null);
      if (done === null) empty();
      else assertEmptied(done.isBusy);
    });
  }

  async #copy(): Promise<void> {
    if (!this.#log.isTrusted()) return;
    const { bytes } = await this.#inThread('passive');
    this.#delayMs = bytes < FAST_LOG_BYTES ? DELAY_MS : SHORT_DELAY_MS;
    if (bytes < LONG_LOG_BYTES) return;
    await this.#log.unwritten(async () => void (await this.#inThread('passive')));
  }

  async #inThread(mode: CheckpointTask['mode']): Promise<Checkpointed> {
    if (this.#closed) throw new Error('the store is closed');
    this.#pool ??= new Piscina({
      filename: WORKER_FILE,
      minThreads: 1,
      maxThreads: 1,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    return this.#pool.run({ path: this.#path, mode });
  }
}

/** @throws Error when a reader or a writer was in the way */
export function assertEmptied(isBusy: boolean): void {
  if (isBusy) throw new Error('another reader keeps the log from being emptied');
}

/** What a log has to do with its being copied. */
export interface CopiedLog {
  /**
   * Whether it is on disk as it is read. Where it is not, a page that is copied out of it would be
   * of a later time after a power cut than those that are left in it.
   */
  readonly isTrusted: () => boolean;
  /** Runs something while no call writes to it; rejects when it can't be written to. */
  readonly unwritten: (run: () => Promise<void>) => Promise<void>;
}
