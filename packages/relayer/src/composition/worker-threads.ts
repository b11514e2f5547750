import { availableParallelism } from 'node:os';

/** A check or a hash takes some 5 ms of one core: four threads do more than a node takes. */
const MAX_THREADS = 4;

/** How many threads check proofs, and as many hash calldata: the event loop needs a core too. */
export function workerThreads(): number {
  return Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
}
