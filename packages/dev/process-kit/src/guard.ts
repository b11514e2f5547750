import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into every child. When the parent has ended, for any reason, the child ends as if
 * requested. Workers of the child inherit the preload, but have no parent to watch.
 */

/** Longer than the longest orderly shutdown of a child. */
const GRACE_MS = 20_000;

const { channel } = process;
if (isMainThread && channel) {
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // The watch must not keep an otherwise finished child alive.
  channel.unref();
}
