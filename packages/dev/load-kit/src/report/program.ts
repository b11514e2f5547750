import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Error in the arguments of the command line, with a message for the user. */
export class UsageError extends Error {}

/** Exit code of an interrupted program: 128 + SIGINT, as in POSIX shells. */
const INTERRUPTED = 130;

/** Prints progress to the error stream, so that standard output contains only results. */
export function say(text: string): void {
  process.stderr.write(`sotto · ${text}\n`);
}

/** Prints a result to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Parses the options of a command. @param known text that lists the known options, for the error
 * message. @throws UsageError
 */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  known: string,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : 'unreadable arguments';
    throw new UsageError(`${what}; known are ${known}`, { cause });
  }
}

/**
 * Runs `work` and ends this process with the exit code that `work` returns, or with 1 if it throws.
 * This also ends child processes and callers that are still running after a failure.
 */
export async function runProgram(work: () => Promise<number>): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(INTERRUPTED));
  process.exit(await work().catch(failed));
}

function failed(error: unknown): number {
  const text = error instanceof Error ? error.stack : String(error);
  say(error instanceof UsageError ? error.message : `failed: ${text}`);
  return 1;
}
