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

self.addEventListener(
  'message',
  ({ data }) => {
    void runJob(data, loadGaraga, send);
  },
  { once: true },
);
send({ kind: 'ready' });
