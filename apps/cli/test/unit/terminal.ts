import { runCommand } from '../../src/cli.js';
import type { Environment, ExitCode } from '../../src/terminal.js';

export interface Ran {
  readonly exitCode: ExitCode;
  /** Lines that the command wrote to standard output. */
  readonly results: readonly string[];
  readonly progress: readonly string[];
}

/** Runs a command line as the process does. @param heard receives each result immediately */
export async function run(
  args: readonly string[],
  env: Environment = {},
  {
    heard = () => {},
    nodeOptions = [],
    interrupted = new AbortController().signal,
  }: Partial<Running> = {},
): Promise<Ran> {
  const results: string[] = [];
  const progress: string[] = [];
  const exitCode = await runCommand(args, {
    env,
    nodeOptions,
    result: (text) => {
      results.push(text);
      heard(text);
    },
    progress: (text) => void progress.push(text),
    interrupted,
  });
  return { exitCode, results, progress };
}

interface Running {
  readonly heard: (text: string) => void;
  readonly nodeOptions: readonly string[];
  readonly interrupted: AbortSignal;
}
