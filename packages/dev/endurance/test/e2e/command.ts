import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface CommandResult {
  /** Progress lines. */
  readonly stderr: string;
  readonly report: unknown;
}

/** Of a report and progress lines, in a failure. */
const SHOWN_CHARACTERS = 6_000;
/** Less than a test has, so that nothing is left running behind it. */
const TIMEOUT_MS = 580_000;

/**
 * Runs a command to its end; its report comes as JSON.
 * @throws Error with the end of both, when it fails or finds something
 */
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
  if (child.exitCode !== 0)
    throw new Error(
      `${args.join(' ')} ended with ${child.exitCode}: ${(output + stderr).slice(-SHOWN_CHARACTERS)}`,
    );
  return { stderr, report: JSON.parse(output) };
}
