import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The command line is wrong. The message is for people. */
export class UsageError extends Error {}

/** Exit code of a program that was interrupted. Source: POSIX shells, 128 + SIGINT. */
const INTERRUPTED = 130;

/** Says what goes on, on the error stream so that results stay alone on the other. */
export function say(text: string): void {
  process.stderr.write(`sotto · ${text}\n`);
}

/** Results. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** @param known what the program takes, for the message. @throws UsageError */
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
 * Ends this process with the exit code of the work, 1 for what it throws. After a failure there are
 * processes left, which end when this one does, and callers that would go on asking for ever.
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
