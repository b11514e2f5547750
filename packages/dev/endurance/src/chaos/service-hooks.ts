import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Worker } from 'node:worker_threads';
import { KILL_WORKERS, MOVE_CLOCK } from './service-orders.js';

/**
 * Preloaded into a service: its clock can be moved, and its worker threads can be made to die, by a
 * message of the process that has started it.
 */

// CAST: the module's own exports, of which one is replaced.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const threads = createRequire(import.meta.url)('node:worker_threads') as {
  Worker: typeof Worker;
  readonly isMainThread: boolean;
};

if (threads.isMainThread) {
  const now = Date.now;
  let shiftMs = 0;
  Date.now = () => now() + shiftMs;

  const living = new Set<Worker>();
  threads.Worker = class extends threads.Worker {
    constructor(...parts: ConstructorParameters<typeof Worker>) {
      super(...parts);
      living.add(this);
      this.once('exit', () => living.delete(this));
    }
  };
  syncBuiltinESMExports();

  process.on('message', (message) => {
    if (typeof message !== 'string') return;
    if (message.startsWith(MOVE_CLOCK)) shiftMs = Number(message.slice(MOVE_CLOCK.length));
    if (message === KILL_WORKERS) for (const worker of living) void worker.terminate();
  });
  // Listening must not keep a process alive that has nothing left to do.
  process.channel?.unref();
}
