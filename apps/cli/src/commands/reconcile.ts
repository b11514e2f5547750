import { DomainError } from '@sotto/kernel';
import type { Command } from 'commander';
import { readAuditOptions, type AuditValues } from '../audit/audit-options.js';
import { EXIT_CODES, describeReport } from '../audit/audit-report.js';
import { auditSite } from '../audit/run-audit.js';
import { causeOf } from '../cause.js';
import { takesSettings } from '../environment.js';
import { CannotRun, show, type Ends, type Terminal } from '../terminal.js';

/**
 * Adds the command that compares a ledger with its chain and prints the report, without changing
 * anything.
 */
export function addReconcile(program: Command, terminal: Terminal, ends: Ends): void {
  takesSettings(
    program
      .command('reconcile')
      .alias('audit')
      .summary('compares a ledger with the blocks of its chain')
      .description(
        'Compares the ledger with the blocks of the chain and changes nothing. Without --store and --node it reads the service’s settings. Exit code 0: clean; 1: contradictions; 2: not everything could be read.',
      ),
  )
    .option('--store <file or URL>', 'the ledger: a SQLite file or a postgres:// URL')
    .option('--node <URL>', 'JSON-RPC endpoint')
    .option(
      '--accounts <0x…,0x…>',
      'accounts that the ledger must know, in addition to its own lanes',
    )
    .option('--from <block>', 'first block; default: 24 hours ago')
    .option('--hours <hours>', 'how far back to begin instead')
    .option('--depth <blocks>', 'blocks below the head that are not read; default: 5')
    .option('--confirm <seconds>', 'time between first and second read of a finding; default: 5')
    .option('--json', 'the report as one JSON value')
    .action(async (values: AuditValues) => {
      const options = readAuditOptions(values, terminal.env);
      const report = await auditSite(options, (text) =>
        terminal.progress(`sotto reconcile · ${text}`),
      ).catch((error: unknown) => {
        throw new CannotRun(
          `the audit could not begin: ${error instanceof DomainError ? error.message : causeOf(error)}`,
        );
      });
      show(terminal, options.json, report, describeReport);
      ends(EXIT_CODES[report.result]);
    });
}
