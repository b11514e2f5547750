import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { lookup } from 'node:dns';
import type { Worker } from 'node:worker_threads';
import { FAIL_LOOKUPS, KILL_WORKERS, LOOKED_UP, MOVE_CLOCK } from './service-orders.js';

/**
 * Hooks that are preloaded into a service. On messages of the parent process, they change the
 * service's clock, kill its worker threads or make the lookups of a host name fail.
 */

const load = createRequire(import.meta.url);
// CAST: the module's own exports; one of them is replaced.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const names = load('node:dns') as { lookup: typeof lookup };
// CAST: the same.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const threads = load('node:worker_threads') as {
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

  let lookupsFail = false;
  const found = names.lookup;
  const replaced = (...parts: unknown[]): unknown => {
    const answer = parts.at(-1);
    if (!lookupsFail || parts[0] !== LOOKED_UP || typeof answer !== 'function')
      return Reflect.apply(found, names, parts);
    const error = Object.assign(new Error('the name was not resolved'), { code: 'EAI_AGAIN' });
    return setImmediate(() => Reflect.apply(answer, undefined, [error]));
  };
  Reflect.set(names, 'lookup', replaced);
  syncBuiltinESMExports();

  process.on('message', (message) => {
    if (typeof message !== 'string') return;
    if (message.startsWith(MOVE_CLOCK)) shiftMs = Number(message.slice(MOVE_CLOCK.length));
    if (message.startsWith(FAIL_LOOKUPS)) lookupsFail = message.endsWith('1');
    if (message === KILL_WORKERS) for (const worker of living) void worker.terminate();
  });
  // The listener must not prevent a finished process from ending.
  process.channel?.unref();
}
