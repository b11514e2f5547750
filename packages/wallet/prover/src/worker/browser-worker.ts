import type { Garaga } from '../hints.js';
import { CurveId, getGroth16CallData, init } from './garaga.js';
import { runJob, type ProvingJob, type WorkerMessage } from './job.js';

/** Declares the part of a worker's global scope that this file uses. */
declare const self: {
  addEventListener(
    name: 'message',
    listener: (event: { readonly data: ProvingJob }) => void,
    options: { once: true },
  ): void;
  postMessage(message: WorkerMessage): void;
};

async function loadGaraga(): Promise<Garaga> {
  await init();
  return { CurveId, getGroth16CallData };
}

const send = (message: WorkerMessage): void => self.postMessage(message);

const garaga = loadGaraga();
self.addEventListener(
  'message',
  ({ data }) => {
    void runJob(data, () => garaga, send);
  },
  { once: true },
);
// A worker that is ready needs no further file. The job reports an error of the loading.
const ready = (): void => send({ kind: 'ready' });
garaga.then(ready, ready);
