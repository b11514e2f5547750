import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Checkpointed, CheckpointTask } from './sqlite-checkpoint-worker.js';

// This path resolves to the same file from src and from dist.
const WORKER_FILE = fileURLToPath(
  new URL('../../dist/sqlite/sqlite-checkpoint-worker.js', import.meta.url),
);

/** Memory limit in MB, the smallest that V8 accepts. The thread only runs one statement. */
const YOUNG_GENERATION_MB = 3;
/**
 * Delay between a write and the checkpoint that copies it, in milliseconds; the same checkpoint
 * copies the writes during the delay. Each checkpoint syncs the log and the file, and copies each
 * written page once. A longer delay therefore copies frequently written pages less often.
 */
const DELAY_MS = 1_000;
/**
 * Delay after a checkpoint that found at least {@link FAST_LOG_BYTES} in the log, in milliseconds.
 */
const SHORT_DELAY_MS = 250;
const FAST_LOG_BYTES = 4_194_304;
/**
 * Size of the log in bytes at which a full checkpoint is forced. SQLite starts again at the
 * beginning of its log only if the whole log was copied before a write, which never happens under
 * load. At this size, calls wait until all pages since the previous checkpoint were copied.
 */
const LONG_LOG_BYTES = 16_777_216;

/**
 * Checkpoints SQLite's log in a separate thread. On the event loop, a checkpoint of a thousand
 * pages would block for about ten milliseconds. If the thread fails, the log grows until the
 * writing connection makes a checkpoint.
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

  /** Records that more pages of the log are on disk and can be copied. */
  grown(): void {
    this.#hasGrown = true;
    if (this.#closed || this.#timer !== null || this.#running !== null) return;
    this.#timer = setTimeout(() => void this.#run(), this.#delayMs).unref();
  }

  /**
   * Truncates the log after most of it was copied and while no call writes to it. Copying and
   * syncing the rest, and releasing the file's blocks, would block the event loop, so the thread
   * does this work. No background checkpoint runs concurrently, because two checkpoints would
   * conflict.
   * @param empty function that truncates the log on the event loop, if the thread can't
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
    // Commits after this line may not be included in this checkpoint, so they must request another
    // checkpoint.
    this.#hasGrown = false;
    // A failed checkpoint is harmless: the next checkpoint also copies these pages.
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

/** @throws Error if a reader or a writer blocked the checkpoint */
export function assertEmptied(isBusy: boolean): void {
  if (isBusy) throw new Error('another reader keeps the log from being emptied');
}

/** Operations on the log that checkpoints need. */
export interface CopiedLog {
  /**
   * Returns true if the log on disk equals the log as read by this process. If they differ, a
   * checkpointed page could be newer than the pages that remain in the log after a power cut.
   */
  readonly isTrusted: () => boolean;
  /** Runs a function while no call writes to the log. Rejects if the log is not writable. */
  readonly unwritten: (run: () => Promise<void>) => Promise<void>;
}
