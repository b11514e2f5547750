import { fileURLToPath } from 'node:url';
import type { Felts } from '@sotto/kernel';
import { Piscina } from 'piscina';

// From src and from dist, this relative path leads to the same file.
const WORKER_FILE = fileURLToPath(new URL('../dist/calldata-hash-worker.js', import.meta.url));

/**
 * Maximum size of the young generation in MB: the smallest value that V8 accepts. With V8's
 * default, a thread that creates little garbage would accumulate 16 MB of it.
 */
const YOUNG_GENERATION_MB = 3;

export interface CalldataHasherSettings {
  /** Number of worker threads, which stay alive. @default 1 */
  readonly threads?: number;
}

/**
 * Computes Poseidon hashes of long calldata in worker threads. Each hash would block the event loop
 * for about 5 ms.
 */
export class CalldataHasher {
  readonly #threads: number;
  #closed = false;
  readonly #pool: Piscina<readonly Uint8Array[] | undefined, bigint>;

  constructor({ threads = 1 }: CalldataHasherSettings = {}) {
    this.#threads = threads;
    this.#pool = new Piscina({
      filename: WORKER_FILE,
      name: 'hashWords',
      minThreads: threads,
      maxThreads: threads,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
  }

  /**
   * Returns the hash of the concatenated parts. Rejects after {@link close}, because the pool would
   * start new threads.
   */
  async hash(...parts: readonly Felts[]): Promise<bigint> {
    if (this.#closed) throw new Error('the calldata hasher is closed');
    // `toBytes` returns a copy, so its buffer can be transferred.
    const words = parts.map((part) => part.toBytes());
    return this.#pool.run(words, { transferList: words.map(({ buffer }) => buffer) });
  }

  /** Resolves when every thread has compiled its code. */
  async warmUp(): Promise<void> {
    // A thread remains busy until its module is loaded. So each of these tasks is given to a
    // different thread.
    await Promise.all(
      Array.from({ length: this.#threads }, () => this.#pool.run(undefined, { name: 'ready' })),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool.destroy();
  }
}
