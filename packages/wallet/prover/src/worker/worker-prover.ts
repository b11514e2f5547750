import {
  WalletError,
  type ProveOptions,
  type ProvingProgress,
  type WithdrawalRequest,
} from '@sotto/wallet/advanced';

import {
  loadArtefacts,
  type ArtefactCache,
  type Fetch,
  type ProverArtefacts,
  type WorkerProverOptions,
} from '../artefacts.js';
import { ProverError } from '../errors.js';
import type { PrefetchingProver } from '../prefetching-prover.js';
import type { ProvingJob, WorkerMessage } from './job.js';

/** Callbacks for a worker's messages. After `end` was called, no callback is called. */
export interface WorkerListener {
  readonly message: (message: WorkerMessage) => void;
  /** Called if the worker failed to start, crashed or was terminated externally. */
  readonly failed: (cause?: unknown) => void;
}

/** Handle of a started worker. */
export interface RunningWorker {
  post(job: ProvingJob): void;
  /** Terminates the worker at once, even during a proof. */
  end(): void;
}

export interface Platform {
  /** True if the files of a worker come from the network, so that a worker is started ahead. */
  readonly startsAhead?: boolean;
  readonly start: (listener: WorkerListener) => RunningWorker;
  readonly fetch: Fetch;
  readonly cache?: ArtefactCache | undefined;
}

/**
 * Maximum time in ms between two messages of a worker. A step usually needs some seconds, or a
 * minute on a slow phone.
 */
export const WORKER_SILENCE_MS = 300_000;

/**
 * Prover that starts a separate worker for each proof, one at a time. The worker ends after its
 * proof, so that it stores no data of a note and does not prevent the process from ending. Loaded
 * artefacts are reused.
 */
export class WorkerProver implements PrefetchingProver {
  readonly #artefacts: ProverArtefacts;
  readonly #platform: Platform;
  #loaded: ProverArtefacts<Uint8Array> | undefined;
  /** Worker that was started ahead and has received no note; the next proof uses it. */
  #ahead: StartedWorker | undefined;
  /** Promise that settles when all requested proofs have ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ artefacts }: WorkerProverOptions, platform: Platform) {
    this.#artefacts = artefacts;
    this.#platform = platform;
  }

  async prove(
    request: WithdrawalRequest,
    { signal, onProgress = () => undefined }: ProveOptions = {},
  ): Promise<readonly string[]> {
    const proof = this.#last.then(async () => {
      signal?.throwIfAborted();
      const artefacts = await this.#load(onProgress, signal);
      return this.#work({ artefacts, request }, onProgress, signal);
    });
    this.#last = proof.catch(() => undefined);
    return unlessAborted(proof, signal);
  }

  async prefetch(options: ProveOptions = {}): Promise<void> {
    const fetching = this.#last.then(() => this.#prefetch(options));
    this.#last = fetching.catch(() => undefined);
    await unlessAborted(fetching, options.signal);
  }

  async #prefetch({ signal, onProgress = () => undefined }: ProveOptions): Promise<void> {
    signal?.throwIfAborted();
    await this.#load(onProgress, signal);
    if (this.#platform.startsAhead === true) await this.#startAhead();
  }

  async #startAhead(): Promise<void> {
    if (this.#ahead?.state === 'ready') return;
    const ahead = new StartedWorker(this.#platform);
    this.#ahead = ahead;
    let silence: ReturnType<typeof setTimeout> | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        silence = setTimeout(() => reject(workerSilent()), WORKER_SILENCE_MS);
        ahead.listen({
          message: ({ kind }) => {
            if (kind === 'ready') resolve();
          },
          failed: (cause) => reject(workerFailed({ cause })),
        });
      });
    } catch (error) {
      ahead.end();
      this.#ahead = undefined;
      throw error;
    } finally {
      clearTimeout(silence);
    }
  }

  /** Returns the worker that was started ahead, unless it has failed; otherwise a new worker. */
  #nextWorker(): StartedWorker {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined && ahead.state !== 'failed') return ahead;
    ahead?.end();
    return new StartedWorker(this.#platform);
  }

  async #load(
    onProgress: (progress: ProvingProgress) => void,
    signal: AbortSignal | undefined,
  ): Promise<ProverArtefacts<Uint8Array>> {
    const onFraction = (fraction: number): void => onProgress({ step: 'artefacts', fraction });
    if (this.#loaded === undefined)
      this.#loaded = await loadArtefacts(this.#artefacts, this.#platform, onFraction, signal);
    else onFraction(1);
    return this.#loaded;
  }

  async #work(
    job: ProvingJob,
    onProgress: (progress: ProvingProgress) => void,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> {
    signal?.throwIfAborted();
    let worker: StartedWorker | undefined;
    let abort: (() => void) | undefined;
    // Before `ready`, a failure is reported with its cause, because the worker has not received the
    // note yet.
    let ready = false;
    let silence: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise((resolve, reject) => {
        abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort);
        const listen = (): void => {
          clearTimeout(silence);
          silence = setTimeout(() => reject(workerSilent()), WORKER_SILENCE_MS);
        };
        const hear = (message: WorkerMessage): void => {
          listen();
          if (message.kind === 'ready') {
            ready = true;
            worker?.post(job);
          } else if (message.kind === 'proven') resolve(message.calldata);
          else if (message.kind !== 'progress') reject(errorOf(message));
          // Messages may arrive after the caller has aborted.
          else if (signal?.aborted !== true) onProgress(progressOf(message));
        };
        listen();
        worker = this.#nextWorker();
        worker.listen({
          message: (message) => attempt(() => hear(message), reject),
          failed: (cause) => reject(workerFailed(ready ? {} : { cause })),
        });
      });
    } finally {
      clearTimeout(silence);
      if (abort !== undefined) signal?.removeEventListener('abort', abort);
      worker?.end();
    }
  }
}

/** Worker whose messages go to one listener at a time. */
class StartedWorker {
  #state: 'starting' | 'ready' | 'failed' = 'starting';
  #cause: unknown;
  #listener: WorkerListener | undefined;
  readonly #worker: RunningWorker;

  constructor({ start }: Platform) {
    this.#worker = start({
      message: (message) => {
        if (message.kind === 'ready') this.#state = 'ready';
        this.#listener?.message(message);
      },
      failed: (cause) => {
        this.#state = 'failed';
        this.#cause = cause;
        this.#listener?.failed(cause);
      },
    });
  }

  get state(): 'starting' | 'ready' | 'failed' {
    return this.#state;
  }

  /** Replaces the listener. The new listener gets the state at once. */
  listen(listener: WorkerListener): void {
    this.#listener = listener;
    if (this.#state === 'ready') listener.message({ kind: 'ready' });
    if (this.#state === 'failed') listener.failed(this.#cause);
  }

  post(job: ProvingJob): void {
    this.#worker.post(job);
  }

  end(): void {
    this.#listener = undefined;
    this.#worker.end();
  }
}

type Refusal = Exclude<WorkerMessage, { kind: 'ready' | 'progress' | 'proven' }>;

function errorOf(refusal: Refusal): Error {
  switch (refusal.kind) {
    case 'refused':
      return new ProverError(refusal.code, refusal.message);
    case 'wallet-refused':
      return new WalletError(refusal.code, refusal.message);
    case 'failed':
      return workerFailed();
  }
}

function workerFailed(options?: ErrorOptions): ProverError {
  return new ProverError(
    'WORKER_FAILED',
    'the worker cannot be started or has failed: is its file served, and does the page allow it?',
    options,
  );
}

function workerSilent(): ProverError {
  const minutes = WORKER_SILENCE_MS / 60_000;
  return new ProverError('WORKER_FAILED', `the worker was not heard of for ${minutes} minutes`);
}

function progressOf({ step, fraction }: Extract<WorkerMessage, { kind: 'progress' }>) {
  return { step, fraction };
}

function attempt(action: () => void, onError: (error: unknown) => void): void {
  try {
    action();
  } catch (error) {
    onError(error);
  }
}

/** Settles like `work`, but rejects as soon as the signal aborts, even while earlier proofs run. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let abort: (() => void) | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        abort = () => reject(signal.reason);
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort);
      }),
    ]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}
