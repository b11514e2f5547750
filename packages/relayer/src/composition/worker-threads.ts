import { availableParallelism } from 'node:os';

/**
 * Maximum number of threads. A check or a hash needs about 5 ms of one core. So four threads
 * process more transactions than a node accepts.
 */
const MAX_THREADS = 4;

/**
 * Returns the number of threads that check proofs; the same number of threads hash calldata. One
 * core remains for the event loop.
 */
export function workerThreads(): number {
  return Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
}
