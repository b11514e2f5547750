import { Command, CommanderError, InvalidArgumentError } from 'commander';

export interface CommandOptions {
  /**
   * Port of the service; 0 selects a free port. `nodePort` and `helpersPort` are the ports of node
   * and helpers.
   */
  readonly port: number;
  readonly nodePort: number;
  readonly helpersPort: number;
  /** True to print one line of JSON to standard output once the stack is ready. */
  readonly json: boolean;
  /** True to print progress with times. */
  readonly verbose: boolean;
}

/**
 * Result of parsing the command line. Either the options of a stack to run, or a text to print and
 * an exit code.
 */
export type Requested =
  | { readonly kind: 'run'; readonly options: CommandOptions }
  | { readonly kind: 'print'; readonly text: string; readonly exitCode: 0 | 2 };

/** Parses a command line. @param args arguments without Node and the program */
export function readArguments(args: readonly string[]): Requested {
  let text = '';
  const write = (written: string): void => {
    text += written;
  };
  const command = new Command('sotto-dev')
    .description(
      'Runs a Starknet node and the service over it, for development: keys are public, money is made out of nothing.',
    )
    .option('--port <number>', 'port of the service; 0 chooses a free port', port, 4000)
    .option('--node-port <number>', 'port of the node; 0 chooses a free port', port, 0)
    .option('--helpers-port <number>', 'port of the helpers; 0 chooses a free port', port, 0)
    .option('--json', 'print one line of JSON with all addresses once it is ready', false)
    .option('--verbose', 'print each step with its time', false)
    .addHelpText(
      'after',
      '\nSettings of the service, such as CORS_ORIGINS, are read from the environment.\nThe command runs until SIGTERM or Ctrl-C.',
    )
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write });
  try {
    const options = command.parse(args, { from: 'user' }).opts<CommandOptions>();
    return { kind: 'run', options };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { kind: 'print', text, exitCode: error.exitCode === 0 ? 0 : 2 };
  }
}

function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= 65_535)) throw new InvalidArgumentError('It must be a whole number to 65535.');
  return number;
}
