import { createHash } from 'node:crypto';

import type { Artefact, ArtefactCache, ProverArtefacts } from '../../src/artefacts.js';
import type { ProvingJob } from '../../src/worker/job.js';
import type { Platform, RunningWorker, WorkerListener } from '../../src/worker/worker-prover.js';

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/**
 * Returns the pin (source, hash and length) of `text`, which is served at
 * https://keys.example/<name>.
 */
function pin(name: string, text: string): Artefact {
  return {
    source: new URL(`https://keys.example/${name}`),
    sha256: createHash('sha256').update(text).digest('hex'),
    bytes: bytesOf(text).length,
  };
}

export const PINS: ProverArtefacts = {
  wasm: pin('wasm', 'the witness generator'),
  zkey: pin('zkey', 'the proving key'),
  verificationKey: pin('verificationKey', '{}'),
};

/** Fake worker, with the jobs that it received and a flag that is true once it has ended. */
export interface FakeWorker {
  readonly listener: WorkerListener;
  readonly jobs: ProvingJob[];
  ended: boolean;
}

/** Platform without network or threads. Tests set the fetched bodies and control the workers. */
export class FakePlatform implements Platform {
  readonly workers: FakeWorker[] = [];
  readonly fetched: string[] = [];
  readonly bodies = new Map<string, string>([
    ['wasm', 'the witness generator'],
    ['zkey', 'the proving key'],
    ['verificationKey', '{}'],
  ]);
  readonly cached = new Map<string, Uint8Array<ArrayBuffer>>();

  readonly start = (listener: WorkerListener): RunningWorker => {
    const worker: FakeWorker = { listener, jobs: [], ended: false };
    this.workers.push(worker);
    return {
      post: (job) => worker.jobs.push(job),
      end: () => {
        worker.ended = true;
      },
    };
  };

  fetch = async (url: URL, signal?: AbortSignal): Promise<Response> => {
    const name = url.pathname.slice(1);
    this.fetched.push(name);
    signal?.throwIfAborted();
    const body = this.bodies.get(name);
    return new Response(body ?? '', { status: body === undefined ? 404 : 200 });
  };

  readonly cache: ArtefactCache = {
    get: async (sha256) => this.cached.get(sha256),
    set: async (sha256, bytes) => void this.cached.set(sha256, bytes),
    delete: async (sha256) => void this.cached.delete(sha256),
  };

  /** Waits until worker number `index` has started. */
  async worker(index: number): Promise<FakeWorker> {
    for (let turns = 0; turns < 1_000; turns++) {
      const worker = this.workers[index];
      if (worker !== undefined) return worker;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error(`worker ${index} was never started`);
  }
}
