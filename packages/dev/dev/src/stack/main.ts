import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { z } from 'zod';
import type { StackMessage, StackOrder } from './protocol.js';
import { runStack } from './run-stack.js';

/** Program of the stack's process. `protocol.ts` defines its input and output. */

// Keep the process running while it waits for its first message. Otherwise the module that is
// preloaded into every child would let the process exit.
process.channel?.ref();
const [sent]: unknown[] = await once(process, 'message');
process.channel?.unref();
// CAST: from any; StackProcess of this package has sent it.
const order: StackOrder = JSON.parse(String(sent));

const say = (message: StackMessage<object>): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`);
};
const stopped = new AbortController();
const listeners = {
  say: (text: string) => say({ event: 'said', text }),
  onServiceEnded: () => say({ event: 'service-ended' }),
};
const starting = runStack(order, listeners, stopped.signal);
let stopping: Promise<void> | undefined;
async function stop(): Promise<void> {
  stopped.abort(new Error('it was stopped while it started'));
  const stack = await starting.catch(() => null);
  await stack?.stop();
  // Usually the parent process removes or keeps the folder. If the parent has ended, remove the
  // folder here.
  if (!process.connected) rmSync(order.folder, { recursive: true, force: true });
  process.exit();
}
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    stopping ??= stop();
  });

try {
  const { description } = await starting;
  say({ event: 'ready', description });
} catch (error) {
  say({ event: 'failed', message: messageOf(error) });
  process.exitCode = 1;
}

function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  return error instanceof Error ? error.message : String(error);
}
