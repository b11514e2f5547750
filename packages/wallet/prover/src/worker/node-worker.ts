import { parentPort } from 'node:worker_threads';

import { CurveId, getGroth16CallData, init } from 'garaga';

import type { Garaga } from '../hints.js';
import { runJob, type ProvingJob, type WorkerMessage } from './job.js';

async function loadGaraga(): Promise<Garaga> {
  await init();
  return { CurveId, getGroth16CallData };
}

const send = (message: WorkerMessage): void => parentPort?.postMessage(message);

parentPort?.once('message', (job: ProvingJob) => {
  void runJob(job, loadGaraga, send);
});
send({ kind: 'ready' });
