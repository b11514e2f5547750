import { DomainError } from '@sotto/kernel';
import { Command, CommanderError } from 'commander';
import { addAcceptLedger } from './commands/accept-ledger.js';
import { addAcceptLoss } from './commands/accept-loss.js';
import { addBackup } from './commands/backup.js';
import { addCheckConfig } from './commands/check-config.js';
import { addDoctor } from './commands/doctor.js';
import { addFollow } from './commands/follow.js';
import { addKeys } from './commands/keys.js';
import { addLanes } from './commands/lanes.js';
import { addReconcile } from './commands/reconcile.js';
import { addSubmissions } from './commands/submissions.js';
import {
  CannotRun,
  EXIT,
  harmless,
  harmlessJson,
  type Ends,
  type ExitCode,
  type Terminal,
} from './terminal.js';

const AFTER_HELP = `
Exit codes: 0 fine; 1 the checked subject has a fault; 2 the command could not do its work.
Results are on standard output; with --json as one JSON value, which is {"error": …} if the command failed. Progress is on standard error.`;

/**
 * Creates the program with all commands. @param ends receives the exit code of the command that ran
 */
export function createProgram(terminal: Terminal, ends: Ends): Command {
  const program = new Command('sotto')
    .description('Sotto for operators: checks a service, its ledger and its chain')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.result(text.trimEnd()),
      writeErr: (text) => terminal.progress(text.trimEnd()),
    })
    .showHelpAfterError('(--help lists the options)')
    .addHelpText('after', AFTER_HELP);
  for (const add of [
    addDoctor,
    addCheckConfig,
    addReconcile,
    addAcceptLedger,
    addSubmissions,
    addLanes,
    addFollow,
    addKeys,
    addBackup,
    addAcceptLoss,
  ])
    add(program, terminal, ends);
  return program;
}

/** Runs a command line. @returns the exit code */
export async function runCommand(args: readonly string[], bare: Terminal): Promise<ExitCode> {
  // JSON already escapes line breaks, and the escapes that `harmless` adds are not always valid
  // JSON.
  const isJson = args.includes('--json');
  const terminal: Terminal = {
    ...bare,
    result: (text) => bare.result(isJson ? harmlessJson(text) : harmless(text)),
    progress: (text) => bare.progress(harmless(text)),
  };
  const fail = (message: string): void => {
    terminal.progress(message);
    if (isJson) terminal.result(JSON.stringify({ error: message }));
  };
  let exitCode: ExitCode = EXIT.fine;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    // A request for help exits with 0. Commander has already printed the help.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.fine;
      if (isJson) terminal.result(JSON.stringify({ error: error.message }));
      return EXIT.notRun;
    }
    if (error instanceof CannotRun) {
      fail(error.message);
      return error.exitCode;
    }
    // Messages of domain errors contain nothing private. Messages of all other errors might contain
    // private data.
    const said =
      error instanceof DomainError ? `${error.code}: ${error.message}` : unexpected(error);
    fail(`the command could not do its work: ${said}`);
    return EXIT.notRun;
  }
}

function unexpected(error: unknown): string {
  if (!(error instanceof Error)) return `a ${typeof error} was thrown`;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  return `${error.name}${code}`;
}
