import { fileURLToPath } from 'node:url';
import type { Felts } from '@sotto/kernel';
import { Piscina } from 'piscina';

// The same file from src and from dist.
const WORKER_FILE = fileURLToPath(new URL('../dist/calldata-hash-worker.js', import.meta.url));

/** The least V8 takes: a thread that leaves little garbage lets 16 MB of it come together else. */
const YOUNG_GENERATION_MB = 3;

export interface CalldataHasherSettings {
  /** Worker threads, kept alive. @default 1 */
  readonly threads?: number;
}

/**
 * Poseidon of long calldata, made in worker threads: some 5 ms that the event loop does not spend.
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
   * Hash of all parts, one after the other. Rejects once it is closed: the pool would start new
   * threads.
   */
  async hash(...parts: readonly Felts[]): Promise<bigint> {
    if (this.#closed) throw new Error('the calldata hasher is closed');
    // Each is a copy of its own, so its buffer can be given away.
    const words = parts.map((part) => part.toBytes());
    return this.#pool.run(words, { transferList: words.map(({ buffer }) => buffer) });
  }

  /** Resolves when every thread has its code compiled for speed. */
  async warmUp(): Promise<void> {
    // A thread is busy until its module is loaded, so each of these tasks gets a thread of its own.
    await Promise.all(
      Array.from({ length: this.#threads }, () => this.#pool.run(undefined, { name: 'ready' })),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool.destroy();
  }
}
