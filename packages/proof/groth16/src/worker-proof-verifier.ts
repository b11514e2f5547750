import { fileURLToPath } from 'node:url';
import { silentLogger, type Logger } from '@sotto/kernel';
import { Piscina } from 'piscina';
import { VerifierBusy, VerifierFailed } from './errors.js';
import type { Groth16Proof } from './layout.js';
import type { VerificationKey } from './verification-key.js';

const WORKER_FILE = fileURLToPath(new URL('../dist/pairing-worker.js', import.meta.url));

/** About 0.6 s of work for one thread at 5 ms a check. */
const MAX_WAITING = 128;
const BUSY_RETRY_AFTER_SECONDS = 1;
/** Far above a full queue's wait; only a pool that cannot start threads any more reaches it. */
const CHECK_DEADLINE_MS = 15_000;

export interface WorkerProofVerifierOptions {
  readonly verificationKey: VerificationKey;
  /** Each holds one mcl instance (about 30 MB) and does one check at a time. */
  readonly threads: number;
  /** Checks that may wait while every thread works. @default 128 */
  readonly maxWaiting?: number;
  /** Hears of threads that died outside a check. */
  readonly logger?: Logger;
}

/**
 * Checks proofs in threads of its own, so that the event loop never computes a pairing.
 *
 * - Resolves false for whatever does not hold, points off their curve and inputs not below r
 *   included.
 * - Rejects with {@link VerifierBusy} when the queue is full, and with {@link VerifierFailed} when
 *   a thread dies during
 *   the check, no thread answers in time, or the verifier is closed. A thread that died is
 *   replaced.
 */
export class WorkerProofVerifier {
  readonly #pool: Piscina<Groth16Proof | undefined, boolean>;
  readonly #running = new Set<Promise<boolean>>();
  readonly #maxWaiting: number;
  #closing: Promise<void> | undefined;

  /** Made by {@link start}; public so that the class may identify it to a container. */
  constructor({
    verificationKey,
    threads,
    maxWaiting = MAX_WAITING,
    logger = silentLogger,
  }: WorkerProofVerifierOptions) {
    this.#maxWaiting = maxWaiting;
    this.#pool = new Piscina({
      filename: WORKER_FILE,
      name: 'holds',
      minThreads: threads,
      maxThreads: threads,
      workerData: verificationKey,
      recordTiming: false,
    });
    // Without a listener the pool would end the process.
    this.#pool.on('error', (error: Error) =>
      logger.warn({ error }, 'a proof checking thread failed'),
    );
  }

  /**
   * Resolves when every thread is warm, so that no request pays for the first, slow checks.
   * @throws VerifierFailed when a thread does not start, for instance because a point of the key is
   *   not in its subgroup.
   */
  static async start(options: WorkerProofVerifierOptions): Promise<WorkerProofVerifier> {
    const verifier = new WorkerProofVerifier(options);
    try {
      // A thread is busy until its module is loaded, so each of these tasks gets a thread of its
      // own.
      await Promise.all(
        Array.from({ length: options.threads }, () =>
          verifier.#pool.run(undefined, { name: 'ready' }),
        ),
      );
    } catch (cause) {
      await verifier.close();
      throw new VerifierFailed({ message: 'the proof checking threads did not start', cause });
    }
    return verifier;
  }

  async holds(proof: Groth16Proof): Promise<boolean> {
    if (this.#closing !== undefined)
      throw new VerifierFailed({ message: 'the proof verifier is closed' });
    if (this.#pool.queueSize >= this.#maxWaiting) {
      throw new VerifierBusy({
        message: 'too many proofs wait to be checked',
        retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS,
      });
    }
    const running = this.#pool.run(proof, { signal: AbortSignal.timeout(CHECK_DEADLINE_MS) });
    this.#running.add(running);
    try {
      return await running;
    } catch (cause) {
      throw new VerifierFailed({
        message: 'the proof could not be checked',
        cause,
        retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS,
      });
    } finally {
      this.#running.delete(running);
    }
  }

  /** Answers what is queued, then ends the threads. Calling it again waits for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    // The pool's own close() gives up a check that runs beside another one's end.
    await Promise.allSettled(this.#running);
    await this.#pool.destroy();
  }
}
