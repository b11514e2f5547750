import { existsSync } from 'node:fs';
import { acceptIncompleteLedger } from '@sotto/relayer/operation';
import type { Command } from 'commander';
import { ledgerFile, takesSettings, type SettingsOptions } from '../environment.js';
import { CannotRun, show, type Terminal } from '../terminal.js';

interface Options extends SettingsOptions {
  readonly store?: string;
  readonly json?: true;
}

/**
 * Adds the command that allows the next start to open a ledger file which lacks some acknowledged
 * commits.
 */
export function addAcceptLoss(program: Command, terminal: Terminal): void {
  takesSettings(
    program
      .command('accept-loss')
      .summary('lets the next start open a ledger that is incomplete')
      .description(
        'For a service that ended with LEDGER_INCOMPLETE, if file and log can not be put back together. Submissions that were acknowledged and not sent are gone. Stop the service first. The next start treats the ledger as a copy: it waits for MEMPOOL_LIFETIME_MS and compares it with the chain before it sends. Docs: docs/runbook.md.',
      ),
  )
    .option('--store <file>', 'the ledger; default: that of the service’s settings')
    .option('--json', 'the result as one JSON value')
    .action(({ store, json, ...options }: Options) => {
      const path = store ?? ledgerFile(options, terminal, 'it has no files to check');
      if (!existsSync(path)) throw new CannotRun(`the ledger ${path} does not exist`);
      acceptIncompleteLedger(path);
      show(
        terminal,
        json === true,
        { accepted: path },
        ({ accepted }) => `${accepted}: the next start treats it as a copy`,
      );
    });
}
