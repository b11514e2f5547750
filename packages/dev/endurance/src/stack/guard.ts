import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into every child: when the parent is gone, however it went, the child is too. Workers
 * of the child inherit the preload.
 */
const { channel } = process;
if (isMainThread && channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Watching must not keep a child alive that has nothing left to do.
  channel.unref();
}
