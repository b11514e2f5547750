import type { ArtefactCache, WorkerProverOptions } from './artefacts.js';
import { ProverError } from './errors.js';
import type { PrefetchingProver } from './prefetching-prover.js';
import type { ProvingJob, WorkerMessage } from './worker/job.js';
import { WorkerProver, type RunningWorker, type WorkerListener } from './worker/worker-prover.js';

/** Declares the part of a browser's Worker that this file uses. */
declare const Worker:
  | (new (
      url: URL,
      options: { type: 'module'; name: string },
    ) => {
      addEventListener(
        name: 'message',
        listener: (event: { readonly data: WorkerMessage }) => void,
      ): void;
      addEventListener(name: 'messageerror', listener: () => void): void;
      addEventListener(
        name: 'error',
        listener: (event: { readonly message?: string; preventDefault(): void }) => void,
      ): void;
      postMessage(message: ProvingJob): void;
      terminate(): void;
    })
  | undefined;

/**
 * Creates a prover that works in a Web Worker. For Node, use the function of `@sotto/prover/node`.
 * Fetched artefacts are stored in the Cache API, if the page has it.
 *
 * `prove` rejects with the errors of `proveWithdrawal` and `withdrawalCalldata`, and with
 * ProverError ARTEFACT_MISMATCH, ARTEFACT_UNAVAILABLE or WORKER_FAILED. Proofs are created one at a
 * time. `prefetch` fetches everything that a proof needs, so that it can be created offline.
 */
export function createWorkerProver(options: WorkerProverOptions): PrefetchingProver {
  return new WorkerProver(options, {
    start,
    startsAhead: true,
    fetch: async (url, signal) => fetch(url, signal === undefined ? {} : { signal }),
    cache: cacheOfBrowser(),
  });
}

function start({ message, failed }: WorkerListener): RunningWorker {
  if (typeof Worker !== 'function')
    throw new ProverError(
      'WORKER_FAILED',
      'there are no Web Workers here; Node has createWorkerProver in @sotto/prover/node',
    );
  // Do not change this expression, because bundlers detect a worker only in exactly this form.
  const worker = new Worker(new URL('../dist/worker/browser-worker.js', import.meta.url), {
    type: 'module',
    name: 'sotto-prover',
  });
  worker.addEventListener('message', ({ data }) => message(data));
  worker.addEventListener('messageerror', () => failed());
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    failed(event.message);
  });
  return { post: (job) => worker.postMessage(job), end: () => worker.terminate() };
}

/** Declares the part of a browser's Cache API that this file uses. */
declare const caches:
  | {
      open(name: string): Promise<{
        match(url: string): Promise<Response | undefined>;
        put(url: string, response: Response): Promise<void>;
        delete(url: string): Promise<boolean>;
      }>;
    }
  | undefined;

function cacheOfBrowser(): ArtefactCache | undefined {
  if (typeof caches === 'undefined') return undefined;
  const storage = caches;
  const open = async () => storage.open('sotto-prover');
  return {
    get: async (sha256) =>
      orNothing(async () => {
        const response = await (await open()).match(keyOf(sha256));
        return response && new Uint8Array(await response.arrayBuffer());
      }),
    set: async (sha256, bytes) =>
      orNothing(async () => (await open()).put(keyOf(sha256), new Response(bytes))),
    delete: async (sha256) => {
      await orNothing(async () => (await open()).delete(keyOf(sha256)));
    },
  };
}

/**
 * Returns the cache key of an artefact. The Cache API requires a URL as key; this URL is never
 * fetched.
 */
function keyOf(sha256: string): string {
  return `https://sotto-prover.invalid/${sha256}`;
}

/**
 * Returns the result of `work`, or undefined if `work` fails. If the cache fails, the artefact is
 * only downloaded again.
 */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
