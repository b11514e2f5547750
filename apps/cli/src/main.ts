#!/usr/bin/env node
import { acceptLedger } from './accept-ledger.js';
import { audit } from './audit/audit-command.js';

const { argv, env } = process;

/** A command takes the arguments after its name and the environment, and gives the exit code. */
type Command = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  audit,
  /** The same: it reconciles ledger and chain. */
  reconcile: audit,
  'accept-ledger': acceptLedger,
};

const USAGE = `usage: sotto <command> [options]

  audit           compares a ledger with its chain; also called reconcile
  accept-ledger   prints what ACCEPT_EMPTY_LEDGER has to be for the service's first start

sotto audit --help lists the options of the audit.
`;
const WRONG_USAGE = 2;

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return command(args, env);
  process.stderr.write(USAGE);
  return WRONG_USAGE;
}

process.exitCode = await main(argv.slice(2));
