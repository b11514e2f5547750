import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into every child: when the parent is gone, however it went, the child ends as if asked
 * to. Workers of the child inherit the preload, but have no parent to watch.
 */

/** Above the longest orderly shutdown of a child. */
const GRACE_MS = 20_000;

const { channel } = process;
if (isMainThread && channel) {
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Watching must not keep a child alive that has nothing left to do.
  channel.unref();
}
