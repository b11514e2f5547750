import type { Command } from 'commander';
import { examine } from '../doctor/examine.js';
import type { Finding } from '../doctor/finding.js';
import { thisMachine } from '../doctor/site.js';
import {
  fromFile,
  ownTokenNotes,
  serviceEnvironment,
  takesSettings,
  type SettingsOptions,
} from '../environment.js';
import { EXIT, show, table, type Ends, type Terminal } from '../terminal.js';

interface Options extends SettingsOptions {
  readonly json?: true;
}

interface Report {
  readonly result: 'fine' | 'failures';
  readonly findings: readonly Finding[];
}

/**
 * Adds the command that checks all dependencies of a service, before its start or while it runs.
 */
export function addDoctor(program: Command, terminal: Terminal, ends: Ends): void {
  takesSettings(
    program
      .command('doctor')
      .summary('lists the problems that keep the service from working, each with its fix')
      .description(
        'Reads the service’s settings and checks all its requirements: node, chain and specification, clock, accounts with keys and balances, pools, verifiers, the swap pool’s owner, the curator’s rights, prices, store and ledger, workers. Changes nothing, and needs no running service. Exit code 0: no check fails; 1: a check fails; 2: the command could not be run.',
      ),
  )
    .option('--json', 'the findings as one JSON value')
    .action(async (options: Options) => {
      const env = serviceEnvironment(options, terminal.env);
      const findings = await examine(
        env,
        thisMachine,
        (name) => terminal.progress(`sotto doctor · ${name}`),
        fromFile(options, terminal),
        ownTokenNotes(options, terminal.env),
      );
      const fails = findings.some(({ level }) => level === 'failure');
      const report: Report = { result: fails ? 'failures' : 'fine', findings };
      show(terminal, options.json === true, report, describe);
      ends(fails ? EXIT.fault : EXIT.fine);
    });
}

const LEVELS = { ok: 'ok', warning: 'warning', failure: 'FAIL', skipped: '-' } as const;

function describe({ findings }: Report): string {
  const rows = findings.map(({ level, check, code, message }) => [
    LEVELS[level],
    check,
    code ?? '-',
    message,
  ]);
  const fixes = findings.flatMap(({ code, fix, docs }) =>
    code === null || fix === null ? [] : [`  ${code}: ${fix}`, `    ${docs ?? ''}`],
  );
  return [
    table([['', 'CHECK', 'CODE', 'WHAT'], ...rows]),
    ...(fixes.length === 0 ? [] : ['', 'Fixes:', ...fixes]),
  ].join('\n');
}
