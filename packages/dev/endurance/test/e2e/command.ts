import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface CommandResult {
  /** Progress lines that the command printed. */
  readonly stderr: string;
  readonly report: unknown;
}

/** Maximum number of characters of the report and the progress lines that an error contains. */
const SHOWN_CHARACTERS = 6_000;
/**
 * Time limit of a command, in ms: shorter than a test's timeout, so that no process outlives its
 * test.
 */
const TIMEOUT_MS = 580_000;

/**
 * Runs a command until it ends and parses its JSON report.
 * @throws Error with the end of the output, if the command fails or has findings
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
