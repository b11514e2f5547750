import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  /** Progress lines. */
  readonly stderr: string;
  readonly report: unknown;
}

/** Less than a test has, so that nothing is left running behind it. */
const TIMEOUT_MS = 580_000;

/** Runs a command to its end; its report comes as JSON. */
export async function command(...args: readonly string[]): Promise<CommandResult> {
  const child = spawn(process.execPath, [MAIN, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  const [output, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const report: unknown = output === '' ? null : JSON.parse(output);
  return { code: child.exitCode, stderr, report };
}
