import { isMainThread } from 'node:worker_threads';

/**
 * Module that is preloaded into every child. When the parent has ended, for any reason, the child
 * receives SIGTERM. Workers of the child also load this module, but ignore it, because they have no
 * parent process.
 */

/** Time in ms before the child is killed: longer than the longest orderly shutdown of a child. */
const GRACE_MS = 20_000;

const { channel } = process;
if (isMainThread && channel) {
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Do not let the open channel keep a child running that has finished its work.
  channel.unref();
}
