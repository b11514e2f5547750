import { z } from 'zod';
import { KEEP_FOLDER, ORDER_VARIABLE, type StackMessage, type StackOrder } from './protocol.js';
import { runStack } from './run-stack.js';

/** The process of the stack: see `protocol.ts` for what it is given and what it says. */

// CAST: from any; StackProcess of this package has written it.
const order: StackOrder = JSON.parse(process.env[ORDER_VARIABLE] ?? '');
const say = (message: StackMessage<object>): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`);
};

let keep = false;
process.on('message', (message) => {
  keep ||= message === KEEP_FOLDER;
});
const starting = runStack(order, {
  say: (text) => say({ event: 'said', text }),
  onServiceEnded: () => say({ event: 'service-ended' }),
});
let stopping: Promise<void> | undefined;
async function stop(): Promise<void> {
  // What is still starting is ended as soon as it can be.
  const stack = await starting.catch(() => null);
  await stack?.stop(keep);
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
