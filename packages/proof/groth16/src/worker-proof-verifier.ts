import { fileURLToPath } from 'node:url';
import { silentLogger, systemClock, type Clock, type Logger } from '@sotto/kernel';
import { Piscina } from 'piscina';
import type { BatchVerdict } from './batch-check.js';
import { BatchLimit } from './batch-limit.js';
import { CheckQueue } from './check-queue.js';
import { VerifierBusy, VerifierFailed } from './errors.js';
import type { Groth16Proof } from './layout.js';
import type { VerificationKey } from './verification-key.js';

const WORKER_FILE = fileURLToPath(new URL('../dist/pairing-worker.js', import.meta.url));

/** Default maximum of waiting checks: about 0.6 s of work for one thread at 5 ms a check. */
const MAX_WAITING = 128;
/**
 * Young generation of a thread's heap in MB; 3 is the smallest size that V8 accepts. With V8's
 * default size, 16 MB of garbage would accumulate even in a thread that allocates little.
 */
const YOUNG_GENERATION_MB = 3;
const BUSY_RETRY_AFTER_SECONDS = 1;
/**
 * Deadline of a batch in ms, far above the usual time of a batch. The deadline is reached only if
 * the pool can no longer start threads.
 */
const BATCH_DEADLINE_MS = 15_000;
/** Name of the caller for checks that are requested without a caller. */
const UNNAMED = '';

export interface WorkerProofVerifierOptions {
  readonly verificationKey: VerificationKey;
  /** Number of threads. Each has one mcl instance (about 30 MB) and checks one batch at a time. */
  readonly threads: number;
  /** Maximum number of checks that wait while every thread is busy. @default 128 */
  readonly maxWaiting?: number;
  /** Logger for threads that die outside a check. */
  readonly logger?: Logger;
  /** Monotonic clock. @default the system's clock */
  readonly clock?: Pick<Clock, 'monotonicMs'>;
}

/** Proof whose check waits for a result. */
interface Check {
  readonly caller: string;
  readonly proof: Groth16Proof;
  readonly resolve: (holds: boolean) => void;
  readonly reject: (error: VerifierFailed) => void;
}

/**
 * Checks proofs in separate threads, so that the event loop never computes a pairing.
 *
 * - Checks that wait while every thread is busy are combined: one equation checks up to {@link
 *   MAX_BATCH} proofs of several callers. After an invalid proof, all proofs are checked separately
 *   for seconds, and proofs of the same caller for minutes.
 * - Resolves false for every invalid proof, including a proof with a point off its curve or an
 *   input ≥ r.
 * - Rejects with {@link VerifierBusy} if the queue is full. Rejects with {@link VerifierFailed} if
 *   a thread dies during the check, no thread replies in time, or the verifier is closed. A dead
 *   thread is replaced, and the other proofs of its batch are checked separately.
 */
export class WorkerProofVerifier {
  readonly #pool: Piscina<readonly Groth16Proof[] | undefined, BatchVerdict>;
  readonly #queue: CheckQueue<Check>;
  /**
   * Checks of batches whose thread died. Each of these checks is run separately, because one of
   * them may have caused the death of the thread.
   */
  readonly #alone: Check[] = [];
  readonly #limit: BatchLimit;
  readonly #running = new Set<Promise<void>>();
  readonly #threads: number;
  readonly #maxWaiting: number;
  #closing: Promise<void> | undefined;

  /**
   * Prepares the pool of threads. Only {@link start} calls it; it is public so that the class can
   * be a key in a container.
   */
  constructor({
    verificationKey,
    threads,
    maxWaiting = MAX_WAITING,
    logger = silentLogger,
    clock = systemClock,
  }: WorkerProofVerifierOptions) {
    const limit = new BatchLimit(clock);
    this.#limit = limit;
    this.#queue = new CheckQueue((caller) => limit.checksAlone(caller));
    this.#threads = threads;
    this.#maxWaiting = maxWaiting;
    this.#pool = new Piscina({
      filename: WORKER_FILE,
      name: 'verdictOf',
      minThreads: threads,
      maxThreads: threads,
      workerData: verificationKey,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    // Without a listener, an error event of the pool would end the process.
    this.#pool.on('error', (error: Error) =>
      logger.warn({ error }, 'a proof checking thread failed'),
    );
  }

  /**
   * Resolves when every thread is warm, so that no request waits for the slow first checks.
   * @throws VerifierFailed if a thread does not start, for instance because a point of the key is
   *   not in its subgroup
   */
  static async start(options: WorkerProofVerifierOptions): Promise<WorkerProofVerifier> {
    const verifier = new WorkerProofVerifier(options);
    try {
      // A thread is busy until its module is loaded, so each of these tasks runs on a separate
      // thread.
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

  /**
   * Checks a proof. @param caller sender of the proof: callers are served in rotation, and no
   * caller fills a whole batch
   */
  async holds(proof: Groth16Proof, caller = UNNAMED): Promise<boolean> {
    if (this.#closing !== undefined)
      throw new VerifierFailed({ message: 'the proof verifier is closed' });
    if (this.#queue.size >= this.#maxWaiting) {
      throw new VerifierBusy({
        message: 'too many proofs wait to be checked',
        retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS,
      });
    }
    return new Promise((resolve, reject) => {
      this.#queue.add(caller, { caller, proof, resolve, reject });
      this.#work();
    });
  }

  /**
   * Finishes queued checks, then ends the threads. A second call returns the promise of the first
   * call.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Assigns waiting checks to the idle threads, divided equally. */
  #work(): void {
    while (this.#running.size < this.#threads) {
      const batch = this.#next();
      if (batch.length === 0) return;
      const running = this.#check(batch).finally(() => {
        this.#running.delete(running);
        this.#work();
      });
      this.#running.add(running);
    }
  }

  #next(): readonly Check[] {
    const alone = this.#alone.shift();
    if (alone !== undefined) return [alone];
    const share = Math.ceil(this.#queue.size / (this.#threads - this.#running.size));
    return this.#queue.take(Math.min(this.#limit.size, share));
  }

  async #check(batch: readonly Check[]): Promise<void> {
    const proofs = batch.map(({ proof }) => proof);
    const deadline = AbortSignal.timeout(BATCH_DEADLINE_MS);
    try {
      const { holds, failed } = await this.#pool.run(proofs, { signal: deadline });
      const checked = batch.map(({ caller }, index) => ({ caller, holds: holds[index] === true }));
      if (failed) this.#limit.failed(checked);
      else this.#limit.passed(checked);
      for (const [index, { resolve }] of batch.entries()) resolve(holds[index] === true);
    } catch (cause) {
      this.#limit.died();
      if (batch.length > 1 && !deadline.aborted) {
        this.#alone.push(...batch);
        return;
      }
      // After a deadline, fail all waiting checks too, because otherwise they would wait until the
      // next deadline.
      const lost = deadline.aborted ? [...batch, ...this.#queue.drain()] : batch;
      const failure = new VerifierFailed({
        message: 'the proof could not be checked',
        cause,
        retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS,
      });
      for (const { reject } of lost) reject(failure);
    }
  }

  async #end(): Promise<void> {
    // Wait for running checks first: the pool's close() drops a check that runs while another check
    // ends.
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#pool.destroy();
  }
}
